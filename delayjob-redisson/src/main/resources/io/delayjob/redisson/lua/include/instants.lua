--- @keys instants
-- The schedules that are to fire: the set `instants` contains the name of each, with its next instant, ms.
--
-- ms_to_instant(at): ms until the next instant of any schedule, 0 if it has come; -1 if no schedule is to fire.
local function ms_to_instant(at)
  local first = checked('ZRANGE', instants, '0', '0', 'WITHSCORES')
  return first[2] and math.max(0, tonumber(first[2]) - at) or -1
end
