-- Removes a schedule. Its occurrences are jobs of their own and stay. Safe to repeat.
--
-- ARGV  1 name
-- Returns 1, or 0 if there is none.
-- Cost  O(log schedules).
--- @include check
--- @include now
--- @include steps
--- @include remove_schedule

check_keys()
open_log()

local removed = remove_schedule(ARGV[1])
if steps then
  close_log()
end
return removed
