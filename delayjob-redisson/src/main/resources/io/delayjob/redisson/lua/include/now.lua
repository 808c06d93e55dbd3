-- now(): Redis' clock in whole milliseconds, the only clock that decides anything; and the microseconds of its second, as text.
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000), time[2]
end
