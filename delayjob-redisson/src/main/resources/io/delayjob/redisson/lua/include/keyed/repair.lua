--- @keys dead buried
--- @plain repair
-- The same in a shard with keys. If a key of include/lanes.lua was deleted or evicted, it puts some random jobs and their keys back where they belong.
local repair_plain = repair

function repair(at, lease)
  repair_plain(at, lease)
  for _, set in ipairs({ held, buried }) do
    for _, one in ipairs(redis.call('ZRANDMEMBER', set, 20)) do
      local key, id = string.match(one, '^([^%z]*)%z(.*)$')
      if not (id and (set == held and reserved_until(id) or set == buried and redis.call('ZSCORE', dead, id))) then
        redis.call('ZREM', set, one)
        settle_keys({ key })
      end
    end
  end
  for _, id in ipairs(redis.call('HRANDFIELD', facts, 20)) do
    local key, seat = lane_of(redis.call('HGET', facts, id))
    local time = key and redis.call('ZSCORE', keyed, id)
    if time and not redis.call('ZSCORE', lanes, member(key, seat, id)) then
      return_waiting(time, id)
    elseif time then
      settle_keys({ key })
    elseif key then
      local set = reserved_until(id) and held or redis.call('ZSCORE', dead, id) and buried
      if set and redis.call('ZADD', set, '0', key .. '\0' .. id) > 0 then
        settle_keys({ key })
      end
    end
  end
end
