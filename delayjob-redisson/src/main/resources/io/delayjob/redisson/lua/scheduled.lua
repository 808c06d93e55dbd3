-- Reads the queues of schedules.
--
-- ARGV  1 name; empty for all schedules
-- Returns names, each followed by its queue.
-- Cost  O(1), or O(schedules) for all.
--- @keys scheduled
--- @include check

check_keys()

if ARGV[1] == '' then
  return redis.call('HGETALL', scheduled)
end
local queue = redis.call('HGET', scheduled, ARGV[1])
return queue and { ARGV[1], queue } or {}
