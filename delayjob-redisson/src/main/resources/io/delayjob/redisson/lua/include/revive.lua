--- @keys dead facts
-- revive(id, due): makes a dead job wait again, with its attempts reset.
local function revive(id, due)
  local fact = unpack_facts(redis.call('HGET', facts, id))
  fact.attempt, fact.due, fact.since, fact.lost, fact.claimed = 0, '', '', 0, ''
  redis.call('ZREM', dead, id)
  redis.call('HSET', facts, id, pack_facts(fact))
  add_waiting(string.format('%.0f', due), id)
  if steps then
    note('REDRIVE', 'D', id, nil, string.format('%.0f', due))
  end
end
