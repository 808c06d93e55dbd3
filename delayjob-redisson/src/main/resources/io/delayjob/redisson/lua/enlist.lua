-- Records the names of queues that jobs are submitted to or taken from, so that queues without a consumer can be found. Beyond
-- 10,000 names, those that were recorded longest ago are dropped. Safe to repeat.
--
-- ARGV  names of queues (at most 200)
-- Returns 1.
-- Cost  O(log queues) for each name.
--- @keys queues
--- @include now

local at = now()
for _, queue in ipairs(ARGV) do
  redis.call('ZADD', queues, at, queue)
end
local beyond = #redis.call('ZRANGE', queues, 10000, 10499)
if beyond > 0 then
  redis.call('ZREM', queues, unpack(redis.call('ZRANGE', queues, 0, beyond - 1)))
end
return 1
