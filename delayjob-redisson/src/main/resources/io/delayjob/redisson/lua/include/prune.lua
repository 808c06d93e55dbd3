--- @keys finished archive outcomes
-- prune(at, time, count, limit): removes the finished jobs that ended first, those older than `time`
-- ms and those beyond the latest `count`, at most `limit` of them.
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
