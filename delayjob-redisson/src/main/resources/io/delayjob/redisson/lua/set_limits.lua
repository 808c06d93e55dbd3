-- Sets or clears limits, pauses of keys, and times for which they are slowed; see include/lanes.lua for the fields.
--
-- ARGV  1 the most keys that may have limits of their own or a pause
--       2 the key, as in include/facts.lua; empty for the shard
--       then fields of `limits` and their values, each empty to clear it. A value of the field slow is ms from now, and a later time stays. The last field
--       of the shard is version, with that of these limits, or after, with another version: theirs is later than that one and than all before. A share that
--       a round has lent ends then, because that of another shard may have changed.
-- Returns 1, or 0 if too many other keys have limits or a pause; nothing is changed then. With a version, returns the one that the shard has then, and
--         changes nothing if that is later.
-- Cost  O(1); of a key, O(log keys), or O(fields) if there are as many fields as keys may have limits.
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

-- Whether as many other keys as may have limits or a pause have some. The hash also has fields of slowed keys, and two of a key with both.
local function is_full()
  local seen, count = {}, 0
  local fields = redis.call('HLEN', limits) >= most and redis.call('HGETALL', limits) or {}
  for i = 1, #fields, 2 do
    local kind, other = string.match(fields[i], '^(%l+):(.*)$')
    if (kind == 'key' or kind == 'paused') and other ~= key and not seen[other] then
      seen[other], count = true, count + 1
    end
  end
  return count >= most
end

local suffix = key == '' and '' or ':' .. key
if key ~= '' and ARGV[3] ~= 'slow' and ARGV[4] ~= '' and is_full() then
  return 0
end
local which, version = ARGV[#ARGV - 1], nil
if which == 'version' or which == 'after' then
  local has = tonumber(limits_of_shard().version) or 0
  version = tonumber(ARGV[#ARGV])
  version = which == 'version' and version or math.max(moment(), has + 1, version + 1)
  if version < has then
    return has
  end
  ARGV[#ARGV - 1], ARGV[#ARGV] = 'version', string.format('%.0f', version)
end
use_key('k')
for i = 3, #ARGV, 2 do
  local field, value = ARGV[i] .. suffix, ARGV[i + 1]
  if value == '' then
    redis.call('HDEL', limits, field)
  elseif ARGV[i] == 'slow' then
    set_slow(field, value)
  else
    redis.call('HSET', limits, field, value)
  end
end
if key ~= '' then
  cap_rate(key, limits_of({ key })[1].terms)
  settle_keys({ key })
elseif ARGV[3] ~= 'slow' then
  limits_changed()
end
if steps and ARGV[3] ~= 'slow' then
  if ARGV[3] == 'paused' then
    note('PAUSE', '-', key, nil, nil, ARGV[4])
  else
    local own, each = unpack(redis.call('HMGET', limits, key == '' and 'whole' or 'key' .. suffix, 'each'), 1, 2)
    note('LIMITS', '-', key, nil, nil, own and own .. '\n' .. (key == '' and each or '') .. '\n')
  end
  close_log()
end
return version or 1
