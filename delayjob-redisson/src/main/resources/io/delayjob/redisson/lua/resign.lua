-- Takes a node that stops out of the registry, and out of the holder's seat.
--
-- KEYS  1 holder    STRING node, with expiry
--       2 nodes     ZSET node -> expiry, ms
--       3 workers   HASH node -> workers|free
--       4 handlers  HASH node -> the names of the jobs it can run, a line each
-- ARGV  1 node
-- Returns 1.
-- Cost  O(log nodes).
--- @include check
local holder, nodes, workers, handlers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local node = ARGV[1]

check_keys()

redis.call('ZREM', nodes, node)
redis.call('HDEL', workers, node)
redis.call('HDEL', handlers, node)
if redis.call('GET', holder) == node then
  redis.call('DEL', holder)
end
return 1
