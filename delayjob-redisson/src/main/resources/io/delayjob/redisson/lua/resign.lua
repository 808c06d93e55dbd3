-- Takes a node that stops out of the registry, and out of the holder's seat.
--
-- KEYS  1 holder  STRING node, with expiry
--       2 nodes   ZSET node -> expiry, ms
-- ARGV  1 node
-- Returns 1.
-- Cost  O(log nodes).
local holder, nodes = KEYS[1], KEYS[2]
local node = ARGV[1]

redis.call('ZREM', nodes, node)
if redis.call('GET', holder) == node then
  redis.call('DEL', holder)
end
return 1
