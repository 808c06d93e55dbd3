--- @keys dedupe windows
-- lapse(at, limit): removes dedupe keys whose window is over, at most so many.
local function lapse(at, limit)
  local over = redis.call('ZRANGEBYSCORE', windows, '-inf', at, 'LIMIT', 0, limit)
  if #over > 0 then
    redis.call('ZREM', windows, unpack(over))
    redis.call('HDEL', dedupe, unpack(over))
  end
end
