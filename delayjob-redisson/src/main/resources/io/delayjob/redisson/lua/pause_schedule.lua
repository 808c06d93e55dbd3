-- Pauses a schedule or resumes it. The instants of a pause do not fire after it. Safe to repeat.
--
-- ARGV  1 name
--       2 1 to pause, 0 to resume
-- Returns 1, or 0 if there is no such schedule.
-- Cost  O(log schedules).
--- @include check
--- @include now
--- @include steps
--- @include schedules
local name, wanted = ARGV[1], ARGV[2] == '1' and '1' or ''

check_keys()
open_log()

local schedule = unpack_schedule(redis.call('HGET', fires, name))
if not schedule then
  return 0
end
if schedule.paused ~= wanted then
  schedule.paused = wanted
  if wanted == '' then
    local at = now()
    schedule.since = string.format('%.0f', at)
    schedule.version = string.format('%.0f', math.max(at, tonumber(schedule.version) + 1))
  end
  write_schedule(name, schedule)
  if steps then
    close_log()
  end
end
return 1
