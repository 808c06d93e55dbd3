-- Counts the jobs of a shard by state.
--
-- KEYS  1 waiting   ZSET id -> due, ms
--       2 reserved  ZSET id -> lease expiry, ms
--       3 dead      ZSET id -> time of death, ms
--       4 finished  ZSET id -> its end, ms
--       5 paused    STRING, exists while the queue is paused
-- Returns { delayed, ready, reserved, dead, finished, paused: 0 or 1 }
-- Cost  O(log waiting).
--- @include check
--- @include now
local waiting, reserved, dead, finished, paused = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]

check_keys()

local ready = redis.call('ZCOUNT', waiting, '-inf', now())
return {
  redis.call('ZCARD', waiting) - ready,
  ready,
  redis.call('ZCARD', reserved),
  redis.call('ZCARD', dead),
  redis.call('ZCARD', finished),
  redis.call('EXISTS', paused),
}
