-- Stops claims, or lets them go on and rings. Safe to repeat.
--
-- KEYS  1 paused  STRING, exists while the queue is paused
--       2 ready   LIST of ids, the doorbell
-- ARGV  1 1 to pause, 0 to resume
-- Returns 1.
-- Cost  O(1).
--- @include check
local paused, ready = KEYS[1], KEYS[2]

check_keys()

if ARGV[1] == '1' then
  redis.call('SET', paused, '1')
else
  redis.call('DEL', paused)
  redis.call('RPUSH', ready, '')
end
return 1
