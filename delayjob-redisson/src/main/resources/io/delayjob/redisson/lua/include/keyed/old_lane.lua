--- @keys facts
-- A waiting job whose facts are written anew may have been in the lane of another key, or in none. lane_facts(id), before that, reads the old ones;
-- leave_lane(id, before), after that, removes it from where it waited before.
local function lane_facts(id)
  return redis.call('HGET', facts, id)
end

local function leave_lane(id, before)
  local key, seat = lane_of(before)
  local has_key = lane_of(lane_facts(id)) ~= nil
  if key then
    redis.call('ZREM', lanes, member(key, seat, id))
    if not has_key then
      redis.call('ZREM', keyed, id)
    end
    settle_keys({ key })
  elseif has_key then
    remove_plain(id)
  end
end
