--- @keys finished archive outcomes
-- prune(at, time, count, limit): removes finished jobs that are older than `time` ms or beyond the latest `count`, at most `limit`
-- of them, those that ended first first.
local function prune(at, time, count, limit)
  local old = redis.call('ZCOUNT', finished, '-inf', string.format('%.0f', at - time))
  local many = redis.call('ZCARD', finished) - count
  local over = math.min(math.max(old, many), limit)
  if over > 0 then
    local ids = redis.call('ZRANGE', finished, 0, over - 1)
    redis.call('ZREM', finished, unpack(ids))
    redis.call('HDEL', archive, unpack(ids))
    redis.call('HDEL', outcomes, unpack(ids))
  end
end
