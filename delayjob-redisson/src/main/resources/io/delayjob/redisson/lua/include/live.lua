--- @keys nodes
-- live_nodes(at): how many nodes are alive. An entry that would stay for more than a day was not made by a node.
local function live_nodes(at)
  return redis.call('ZCOUNT', nodes, string.format('(%.0f', at), string.format('%.0f', at + 86400000))
end
