--- @keys dedupe windows
-- expire_windows(at, limit): removes dedupe keys whose window has ended, at most `limit`.
local function expire_windows(at, limit)
  local over = redis.call('ZRANGEBYSCORE', windows, '-inf', at, 'LIMIT', 0, limit)
  if #over > 0 then
    redis.call('ZREM', windows, unpack(over))
    redis.call('HDEL', dedupe, unpack(over))
  end
end
