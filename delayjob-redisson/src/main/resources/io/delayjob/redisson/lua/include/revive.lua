-- revive(dead, waiting, facts, id, at): moves a dead job to `waiting`, due now, its attempts counted from the start.
-- Returns 1 if it was dead, else 0.
local function revive(dead, waiting, facts, id, at)
  local removed = redis.call('ZREM', dead, id)
  if removed == 1 then
    local fact = unpack_facts(redis.call('HGET', facts, id))
    fact.attempt, fact.due, fact.since = 0, '', ''
    redis.call('HSET', facts, id, pack_facts(fact))
    redis.call('ZADD', waiting, string.format('%.0f', at), id)
  end
  return removed
end
