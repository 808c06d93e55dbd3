--- @keys facts
-- set_due(id, due): gives a waiting job a new due time, ms. It also forgets that nodes could not run the job, so that the next
-- claim uses the new time.
local function set_due(id, due)
  local fact = unpack_facts(redis.call('HGET', facts, id))
  if fact.since ~= '' then
    fact.since = ''
    redis.call('HSET', facts, id, pack_facts(fact))
  end
  add_waiting(string.format('%.0f', due), id)
  if steps then
    note('RESCHEDULE', 'D', id, fact.attempt, string.format('%.0f', due))
  end
end
