-- Removes unfinished jobs, whatever their state, without logging it: the journal keeps them, and can put them back. Those that wait go
-- first, then those that run, then the dead ones. A run of a removed job can no longer settle it.
--
-- ARGV  1 number of the call
--       2 the most jobs to remove (1 to 200)
-- Returns how many it removed, as text.
-- Cost  O(log waiting) for each job.
--- @keys jobs waiting reserved dead facts errors progress
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include steps
--- @include once
--- @include facts
--- @include free
local number, left = ARGV[1], tonumber(ARGV[2])

check_keys()

return once(number, function()
  go_on_when_full(waiting)
  local removed = 0
  for _, set in ipairs({ waiting, reserved, dead }) do
    local ids = left > 0 and redis.call('ZRANGE', set, 0, left - 1) or {}
    if #ids > 0 then
      for n, packed in ipairs(redis.call('HMGET', facts, unpack(ids))) do
        free(ids[n], key_of(packed))
      end
      redis.call('ZREM', set, unpack(ids))
      for _, hash in ipairs({ jobs, facts, errors, progress }) do
        redis.call('HDEL', hash, unpack(ids))
      end
      removed, left = removed + #ids, left - #ids
    end
  end
  return tostring(removed)
end)
