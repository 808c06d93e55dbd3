-- Takes a node that stops out of the registry, and out of the holder's seat. Rings for each node that stays: its periods belong to
-- a smaller fleet now, and the seat may be free.
--
-- KEYS  1 holder    STRING node, with expiry
--       2 nodes     ZSET node -> expiry, ms
--       3 workers   HASH node -> workers|free
--       4 handlers  HASH node -> the names of the jobs it can run, a line each
--       5 ready     LIST of ids, the doorbell
-- ARGV  1 node
-- Returns 1.
-- Cost  O(nodes), at most 1000 rings.
--- @include check
--- @include now
--- @include live
local holder, nodes, workers, handlers, ready = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local node = ARGV[1]

check_keys()

redis.call('ZREM', nodes, node)
redis.call('HDEL', workers, node)
redis.call('HDEL', handlers, node)
if redis.call('GET', holder) == node then
  redis.call('DEL', holder)
end
local at = now()
local live = live_nodes(nodes, at)
local rings = {}
for n = 1, math.min(live, 1000) do
  rings[n] = ''
end
if live > 0 then
  redis.call('RPUSH', ready, unpack(rings))
  redis.call('LTRIM', ready, -1000, -1)
end
return 1
