-- Reads schedules: those with given names, or those whose next instant has come.
--
-- ARGV  1 the most schedules to answer whose instant has come (0 to 200)
--       2 how many of these to leave out first
--       then names (at most 200)
-- Returns { now, ms until the next instant of any schedule, -1 if there is none,
--           then for each schedule: name, its fields as in include/schedules.lua, definition, decisions as in fire.lua; of those whose
--           instant has come, only the last decision }
-- Cost  O(log schedules) for each schedule.
--- @keys schedules decisions
--- @include check
--- @include now
--- @include schedules

check_keys()

local at = now()
local names = redis.call('ZRANGEBYSCORE', instants, '-inf', at, 'LIMIT', ARGV[2], ARGV[1])
local due = #names
for i = 3, #ARGV do
  names[#names + 1] = ARGV[i]
end
local answer = { at, ms_to_instant(at) }
for i, name in ipairs(names) do
  local packed, definition = redis.call('HGET', fires, name), redis.call('HGET', schedules, name)
  local schedule = unpack_schedule(packed)
  if schedule and definition then
    local n = #answer
    answer[n + 1], answer[n + 2], answer[n + 3] = name, packed, definition
    local lines = redis.call('HGET', decisions, name) or ''
    local before = i <= due and string.find(lines, '\n' .. schedule.last .. '|', 1, true)
    answer[n + 4] = before and string.sub(lines, before + 1) or lines
  else
    -- An entry that leads to no schedule would be found again and again.
    redis.call('ZREM', instants, name)
  end
end
return answer
