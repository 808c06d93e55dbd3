--- @keys schedules fires instants decisions declared
-- remove_schedule(name): removes a schedule. Returns 1, or 0 if there is none. The script includes include/steps.lua and opens the log; the step
-- of a removed schedule has no fields.
local function remove_schedule(name)
  redis.call('ZREM', instants, name)
  redis.call('HDEL', decisions, name)
  redis.call('HDEL', declared, name)
  redis.call('HDEL', fires, name)
  local removed = redis.call('HDEL', schedules, name)
  if steps and removed == 1 then
    note('SCHEDULE', '-', name)
  end
  return removed
end
