--- @keys dead
--- @plain repair
-- The same in a shard with keys. If a key of include/lanes.lua was deleted or evicted, it puts some random jobs and their keys back where they belong.
local repair_plain = repair

function repair(at, lease)
  repair_plain(at, lease)
  for _, one in ipairs(redis.call('ZRANDMEMBER', held, 20)) do
    local key, kind, id = string.match(one, '^(%C*)(%c)(.*)$')
    local is_dead = kind == '\1'
    if not (id and (is_dead and redis.call('ZSCORE', dead, id) or not is_dead and reserved_until(id))) then
      redis.call('ZREM', held, one)
      settle_keys({ key })
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
      local mark = reserved_until(id) and '\0' or redis.call('ZSCORE', dead, id) and '\1'
      if mark and redis.call('ZADD', held, '0', key .. mark .. id) > 0 then
        settle_keys({ key })
      end
    end
  end
end
