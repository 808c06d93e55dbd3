--- @keys finished archive outcomes
-- forget_finished(ids): removes finished jobs.
-- prune(at, time, count, limit): removes finished jobs that are older than `time` ms or beyond the latest `count`, at most `limit`
-- of them, those that ended first first.
local function forget_finished(ids)
  redis.call('ZREM', finished, unpack(ids))
  redis.call('HDEL', archive, unpack(ids))
  redis.call('HDEL', outcomes, unpack(ids))
end

local function prune(at, time, count, limit)
  local old = redis.call('ZCOUNT', finished, '-inf', string.format('%.0f', at - time))
  local many = redis.call('ZCARD', finished) - count
  local over = math.min(math.max(old, many), limit)
  if over > 0 then
    forget_finished(redis.call('ZRANGE', finished, 0, over - 1))
  end
end
