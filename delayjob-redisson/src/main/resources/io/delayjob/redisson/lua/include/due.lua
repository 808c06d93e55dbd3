--- @keys waiting facts
-- set_due(id, due): gives a job that waits a new due time, ms. That nodes could not run it is then forgotten, so
-- that the next claim takes the new time.
local function set_due(id, due)
  local fact = unpack_facts(redis.call('HGET', facts, id))
  if fact.since ~= '' then
    fact.since = ''
    redis.call('HSET', facts, id, pack_facts(fact))
  end
  redis.call('ZADD', waiting, 'XX', string.format('%.0f', due), id)
end
