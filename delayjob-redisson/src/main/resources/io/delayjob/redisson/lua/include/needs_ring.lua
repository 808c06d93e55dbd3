--- @keys ready watermark
-- needs_ring(due): whether a job with this due time, ms, that is taken next has no doorbell. That is so if it is due by
-- the watermark, because the holder does not know of it; or if there is no watermark, because there is no holder now. In the latter
-- case an entry that is already in the list is enough: the first listener finds the job.
local function needs_ring(due)
  local upto, is_rung = tonumber(checked('GET', watermark)), checked('LLEN', ready) > 0
  return upto and due <= upto or not upto and not is_rung
end
