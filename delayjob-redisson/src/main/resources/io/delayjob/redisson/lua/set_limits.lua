-- Sets or clears limits, pauses of keys, and times for which they are slowed; see include/lanes.lua for the fields.
--
-- ARGV  1 the most keys that may have fields
--       2 the key, as in include/facts.lua; empty for the shard
--       then fields of `limits` and their values, each empty to clear it. A value of the field slow is ms from now, and a later time stays.
-- Returns 1, or 0 if too many keys have fields; nothing is changed then.
-- Cost  O(1); of a key, O(log keys).
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include now
--- @include use_key
--- @include steps

local most, key = tonumber(ARGV[1]), ARGV[2]

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels
open_log()

local suffix = key == '' and '' or ':' .. key
for i = 3, #ARGV, 2 do
  local is_new = suffix ~= '' and ARGV[i + 1] ~= '' and redis.call('HEXISTS', limits, ARGV[i] .. suffix) == 0
  if is_new and redis.call('HLEN', limits) >= most then
    return 0
  end
end
use_key('k')
for i = 3, #ARGV, 2 do
  local field, value = ARGV[i] .. suffix, ARGV[i + 1]
  if field == 'share' then
    end_share()
  end
  if value == '' then
    redis.call('HDEL', limits, field)
  elseif ARGV[i] == 'slow' then
    redis.call('HSET', limits, field, slow_until(field, value))
  else
    redis.call('HSET', limits, field, value)
  end
end
if key ~= '' then
  settle_keys({ key })
else
  begin_reconsidering()
  ring_for(moment())
end
if steps and ARGV[3] ~= 'slow' then
  local names = key == '' and { 'whole', 'each' } or { 'key' .. suffix, 'paused' .. suffix }
  local own, more = unpack(redis.call('HMGET', limits, unpack(names)), 1, 2)
  note('LIMITS', '-', key, nil, nil, (own or more) and (own or '') .. '\n' .. (more or ''))
  close_log()
end
return 1
