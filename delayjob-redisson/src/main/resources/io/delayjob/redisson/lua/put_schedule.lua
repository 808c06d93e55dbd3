-- Stores a schedule, or replaces its definition and next instant. Its counts, its last instant and whether it is paused stay. A repeat finds
-- another version and changes nothing.
--
-- ARGV  1 name
--       2 the version that is replaced; empty if there is to be none
--       3 its next instant, ms; empty for none
--       4 of a new schedule, the last instant that was decided under its name, ms; empty for none
--       5 its definition, which only nodes read
-- Returns the new version; 0 if there is another version.
-- Cost  O(log schedules).
--- @keys schedules
--- @include check
--- @include now
--- @include schedules
local name, expected, next, last, definition = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

check_keys()

local schedule = unpack_schedule(redis.call('HGET', fires, name))
if (schedule and schedule.version or '') ~= expected then
  return 0
end
local at = now()
local version = math.max(at, (tonumber(expected) or 0) + 1)
schedule = schedule or { last = last, since = '0', paused = '', fired = '0', skipped = '0', others = '', job = '' }
schedule.version, schedule.next = string.format('%.0f', version), next
redis.call('HSET', schedules, name, definition)
write_schedule(name, schedule)
return version
