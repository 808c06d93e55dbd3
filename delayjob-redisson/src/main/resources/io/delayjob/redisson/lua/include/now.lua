-- now(): Redis' clock in milliseconds, the only clock that decides anything.
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
