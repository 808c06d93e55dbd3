-- Reads the limits of a shard, and the keys that wait longest; or what is known about one key.
--
-- ARGV  1 the most keys
--       2 the most of their running jobs
--       3 the key, as in include/facts.lua; empty for those that wait longest
-- Returns { fields and values of `limits`, one per line, how many keys may begin no job though one is due, how many jobs with keys wait, how many jobs run,
--           from when the next may begin, the shard's share of the limits, some of its jobs that run, one per line, how many due jobs limits hold back,
--           1 if claims are paused or 0, and for each key: key, its next job and its time (both empty if none waits), from when it may begin, how many
--           of its jobs wait, how many run, some of these, some dead ones that hold it, one per line, and since when one that waits is due (empty if
--           none waits) }. Times are in ms. A time from when something may begin follows a letter that says why it is not earlier: T by its time, S it
--           was slowed, R a rate; T0 if it has come. Of one key, what is held back is 0.
-- Cost  O(log jobs) for each key, and the fields of `limits`.
--- @keys paused
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include now

local most, most_running, one = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels

local held_count, names, limited = 0, { one }, 0
if one == '' then
  local longest
  held_count, limited, longest = held_back()
  names = { unpack(longest, 1, math.min(most, #longest)) }
end
local answer = { table.concat(redis.call('HGETALL', limits), '\n'), held_count, redis.call('ZCARD', keyed) }
local shard = limits_of_shard()
-- The latest of these times and why it is not earlier: its time, it was slowed, or a rate; T0 if it has come.
local function begins(time, slow, rate)
  local latest = math.max(time, slow, rate)
  if latest <= moment() then
    return 'T0'
  end
  return (latest == time and 'T' or latest == slow and 'S' or 'R') .. string.format('%.0f', latest)
end

-- Some of the jobs with a key in `held` or `buried`, one per line.
local function some_of(set, from, to)
  local ids = redis.call('ZRANGEBYLEX', set, from, to, 'LIMIT', 0, most_running)
  for i, entry in ipairs(ids) do
    ids[i] = string.match(entry, '[^%z]*$')
  end
  return table.concat(ids, '\n')
end

local function first_reserved()
  local found, ids = due_reserved('+inf', most_running), {}
  for i = 1, #found, 2 do
    ids[#ids + 1] = found[i]
  end
  return table.concat(ids, '\n')
end

answer[4], answer[5] = count_reserved(), begins(0, shard.slow, begins_by_rate('', shard))
answer[6], answer[7], answer[8], answer[9] = shard.share, first_reserved(), limited, redis.call('EXISTS', paused)
local terms = limits_of(names)
for n, key in ipairs(names) do
  local from, to = '[' .. key .. '\0', '(' .. key .. '\1'
  local first = jobs_of(key, 0, 1)[1]
  local id = first and string.match(first, '[^%z]*$') or ''
  local time = id ~= '' and redis.call('ZSCORE', keyed, id) or ''
  answer[#answer + 1] = key
  answer[#answer + 1] = id
  answer[#answer + 1] = time
  answer[#answer + 1] = time ~= '' and begins(tonumber(time), terms[n].slow, begins_by_rate(key, terms[n].terms)) or 'T0'
  answer[#answer + 1] = redis.call('ZLEXCOUNT', lanes, from, to)
  answer[#answer + 1] = running_of(key)
  answer[#answer + 1] = some_of(held, from, to)
  answer[#answer + 1] = terms[n].terms.holds and some_of(buried, from, to) or ''
  answer[#answer + 1] = time ~= '' and string.format('%.0f', due_from(key, tonumber(time))) or ''
end
return answer
