--- @keys facts
-- revive(id, due): makes a dead job wait again, with its attempts reset. One that holds its key keeps its place.
local function revive(id, due)
  local fact = unpack_facts(redis.call('HGET', facts, id))
  fact.attempt, fact.due, fact.since, fact.lost, fact.claimed = 0, '', '', 0, ''
  fact.others = string.sub((string.gsub(fact.others .. '|', '|begun=1|', '|')), 1, -2)
  local time, place = string.format('%.0f', due), place_of_dead(fact)
  remove_dead(id)
  redis.call('HSET', facts, id, pack_facts(fact))
  if place then
    return_waiting(time, id)
  else
    add_waiting(time, id)
  end
  if steps then
    note('REDRIVE', 'D', id, nil, time)
    add_field('place', place ~= time and place or nil)
  end
end
