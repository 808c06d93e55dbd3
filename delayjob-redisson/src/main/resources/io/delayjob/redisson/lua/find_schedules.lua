-- Reads schedules: those with given names, or those whose next instant has come.
--
-- ARGV  1 the most schedules to answer whose instant has come (0 to 200)
--       2 how many of these to leave out first
--       3 how long after a node last declared a schedule none declares it, ms
--       then names (at most 200)
-- Returns { now, ms until the next instant of any schedule, -1 if there is none,
--           then for each schedule: name, its fields as in include/schedules.lua, definition, decisions as in fire.lua, of those whose
--           instant has come only the last; and since when no node declares it, ms, empty if one does or none ever did }
-- Cost  O(log schedules) for each schedule.
--- @keys schedules decisions declared
--- @include check
--- @include now
--- @include schedules

check_keys()

local at = now()
local names = redis.call('ZRANGEBYSCORE', instants, '-inf', at, 'LIMIT', ARGV[2], ARGV[1])
local due = #names
for i = 4, #ARGV do
  names[#names + 1] = ARGV[i]
end
local answer, gone = { at, ms_to_instant(at) }, {}
if #names == 0 then
  return answer
end
local packed, definitions = redis.call('HMGET', fires, unpack(names)), redis.call('HMGET', schedules, unpack(names))
local history, last_declared = redis.call('HMGET', decisions, unpack(names)), redis.call('HMGET', declared, unpack(names))
for i, name in ipairs(names) do
  local schedule = unpack_schedule(packed[i])
  if schedule and definitions[i] then
    local n, lines, last = #answer, history[i] or '', tonumber(last_declared[i] or '') or math.huge
    local before = i <= due and string.find(lines, '\n' .. schedule.last .. '|', 1, true)
    answer[n + 1], answer[n + 2], answer[n + 3] = name, packed[i], definitions[i]
    answer[n + 4] = before and string.sub(lines, before + 1) or lines
    answer[n + 5] = at - last > tonumber(ARGV[3]) and string.format('%.0f', last) or ''
  else
    -- An entry that leads to no schedule would be found again and again.
    gone[#gone + 1] = name
  end
end
if #gone > 0 then
  redis.call('ZREM', instants, unpack(gone))
end
return answer
