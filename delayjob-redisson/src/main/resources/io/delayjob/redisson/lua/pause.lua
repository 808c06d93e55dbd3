-- Pauses claims, or resumes them and rings. A resume also ends a time for which the shard was slowed. Safe to repeat.
--
-- ARGV  1 1 to pause, 0 to resume
-- Returns 1.
-- Cost  O(1).
--- @keys ready paused limits
--- @include check
--- @include now
--- @include steps

check_keys()
open_log()

if ARGV[1] == '1' then
  redis.call('SET', paused, '1')
else
  redis.call('DEL', paused)
  redis.call('HDEL', limits, 'slow')
  redis.call('RPUSH', ready, '')
end
if steps then
  note('PAUSE', '-', '', nil, nil, ARGV[1] == '1' and '1')
  close_log()
end
return 1
