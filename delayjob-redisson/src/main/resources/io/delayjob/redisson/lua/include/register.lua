--- @keys nodes workers handlers
-- register(node, at, stay, load, names): keeps a node in the registry with its load (workers=|free=) and, unless `names` is empty,
-- the names of its jobs, which follow a first character that is dropped. Removes nodes that were silent for too long. An entry that
-- would stay for more than a day was not made by a node, and would make the fleet seem larger.
-- Returns how many nodes are alive, and 1 if the names of this node's jobs are known, else 0.
local function register(node, at, stay, load, names)
  redis.call('ZADD', nodes, string.format('%.0f', at + stay), node)
  redis.call('HSET', workers, node, load)
  if names ~= '' then
    redis.call('HSET', handlers, node, string.sub(names, 2))
  end
  redis.call('ZREMRANGEBYSCORE', nodes, string.format('(%.0f', at + 86400000), '+inf')
  local silent = redis.call('ZRANGEBYSCORE', nodes, '-inf', at, 'LIMIT', 0, 500)
  if #silent > 0 then
    redis.call('ZREM', nodes, unpack(silent))
    redis.call('HDEL', workers, unpack(silent))
    redis.call('HDEL', handlers, unpack(silent))
  end
  return redis.call('ZCOUNT', nodes, '(' .. string.format('%.0f', at), '+inf'), redis.call('HEXISTS', handlers, node)
end
