--- @keys ready watermark
-- ring(changed): pushes one entry to `ready` if the waiting job that is taken next is one of the changed ids and has no doorbell. That
-- is so if it is due by the watermark, because the holder does not know of it; or if there is no watermark, because there is no holder now.
-- In the latter case an entry that is already in the list is enough: the first listener finds the job.
local function ring(changed)
  local id, due = first_waiting()
  if id and changed[id] then
    local upto = tonumber(redis.call('GET', watermark))
    if upto and tonumber(due) <= upto or not upto and redis.call('LLEN', ready) == 0 then
      redis.call('RPUSH', ready, id)
    end
  end
end
