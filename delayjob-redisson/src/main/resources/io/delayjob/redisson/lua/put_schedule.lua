-- Stores a schedule, or replaces its definition and next instant. Its counts, its last instant and whether it is paused stay. A repeat finds
-- another version and changes nothing. An instant that has come is decided first, and one that was decided is no next one: the caller
-- computes again.
--
-- ARGV  1 name
--       2 the version that is replaced; empty if there is to be none
--       3 its next instant, ms; empty for none
--       4 of a new schedule, the last instant that was decided under its name, ms; empty for none
--       5 of a new schedule, 1 if it is paused; else empty
--       6 its definition, which only nodes read
-- Returns the new version; 0 if there is another version, if its next instant has come, or if the new one is not after the last.
-- Cost  O(log schedules).
--- @keys schedules
--- @include check
--- @include now
--- @include steps
--- @include schedules
local name, expected, next, last, is_paused, definition = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

check_keys()
open_log()

local schedule = unpack_schedule(redis.call('HGET', fires, name))
if (schedule and schedule.version or '') ~= expected then
  return 0
end
local at = now()
if schedule and (schedule.paused == '' and schedule.next ~= '' and tonumber(schedule.next) <= at
  or schedule.last ~= '' and next ~= '' and tonumber(next) <= tonumber(schedule.last)) then
  return 0
end
local version = math.max(at, (tonumber(expected) or 0) + 1)
schedule = schedule or { last = last, since = '0', paused = is_paused, fired = '0', skipped = '0', deaths = 0, held = 0, others = '', job = '' }
schedule.version, schedule.next, schedule.definition = string.format('%.0f', version), next, definition
redis.call('HSET', schedules, name, definition)
write_schedule(name, schedule)
if steps then
  close_log()
end
return version
