-- Removes a stopping node from the registry, and from the role of the holder. Rings once for each node that stays, because the
-- fleet is smaller now and may have no holder.
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
