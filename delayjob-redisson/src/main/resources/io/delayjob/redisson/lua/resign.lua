-- Takes a node that stops out of the registry, and out of the holder's seat. Rings for each node that stays: its periods belong to
-- a smaller fleet now, and the seat may be free.
--
-- ARGV  1 node
-- Returns 1.
-- Cost  O(nodes), at most 1000 rings.
--- @keys ready holder nodes workers handlers
--- @include check
--- @include now
--- @include live
local node = ARGV[1]

check_keys()

redis.call('ZREM', nodes, node)
redis.call('HDEL', workers, node)
redis.call('HDEL', handlers, node)
if redis.call('GET', holder) == node then
  redis.call('DEL', holder)
end
local at = now()
local live = live_nodes(at)
local rings = {}
for n = 1, math.min(live, 1000) do
  rings[n] = ''
end
if live > 0 then
  redis.call('RPUSH', ready, unpack(rings))
  redis.call('LTRIM', ready, -1000, -1)
end
return 1
