--- @include reconsider
-- declare_limits(node, share, each): stores the limits that the queue has by the settings of a node, in the form of include/lanes.lua: the shard's share of the
-- queue's limits, and those of each key; both are empty for none. If nodes have different ones, those stay that are there, until a minute after the node
-- that declared them has gone. The field `declared by` of `limits` has the time of its last feed, ms, and its name.
local STAYS, REFRESH = 60000, 10000

local function declare_limits(node, share, each)
  local before, before_each, by = unpack(redis.call('HMGET', limits, 'declared', 'declared each', 'declared by'), 1, 3)
  local at = moment()
  local said, who = string.match(by or '', '^(%d+) (.*)$')
  local age = said and at - tonumber(said) or math.huge
  local differs, has_some = share ~= (before or '') or each ~= (before_each or ''), share .. each ~= ''
  local even = differs and limits_of_shard().even
  if has_some and (differs and (who == node or age > STAYS) or not differs and age > REFRESH) then
    use_key('k')
    redis.call('HSET', limits, 'declared', share, 'declared each', each, 'declared by', string.format('%.0f %s', at, node))
  elseif before and not has_some and (who == node or age > STAYS) then
    redis.call('HDEL', limits, 'declared', 'declared each', 'declared by')
  else
    return
  end
  if differs then
    limits_changed(even)
  end
end

local function reconsider_some()
  reconsider(100)
end
