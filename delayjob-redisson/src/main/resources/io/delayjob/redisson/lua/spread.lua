-- Stores with the queue, in its shard 0, over how many shards the nodes that run its jobs spread it. Safe to repeat.
--
-- ARGV  1 over how many shards this node spreads the queue
--       2 1 if this node runs the jobs of the queue, so that its number replaces the one that is stored; else 0
-- Returns the number that was stored before; 0 if there is none, or it is invalid.
-- Cost  O(1).
--- @keys shards
--- @include check

check_key(shards, 'string')

local stored = redis.call('GET', shards)
local known = string.match(stored or '', '^%d%d?%d?%d?$')
if ARGV[2] == '1' and known ~= ARGV[1] or not known then
  redis.call('SET', shards, ARGV[1])
end
return tonumber(known) or 0
