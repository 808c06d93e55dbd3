--- @exports reserve_again
--- @keys facts
-- give_back(id, fact, at): makes a job wait again that its node does not get after all; the attempt is not counted.
local function give_back(id, fact, at)
  fact.token, fact.node, fact.attempt = '', '', math.max(0, fact.attempt - 1)
  redis.call('HSET', facts, id, pack_facts(fact))
  local again = tonumber(fact.due) and fact.due or ms(at)
  give_back_waiting(again, id)
  remove_reserved(id)
  if steps then
    note('RELEASE', 'D', id, fact.attempt, again)
    add_field('place', place_of_returning(fact, again))
  end
end

-- reserve_again(memo_answer, random, most_bytes, own, at, lease_end): repeats a claim. The jobs that its call handed out and still
-- holds get a fresh lease, as many as fit; the others are given back if the call is the sender's own. The lease ends 1 ms later than the
-- answer says, so that a release which names its end leaves the jobs: they may be with whoever had another answer. Returns the ids and
-- records of the former, their packed facts, and how many of them, which come first, had lost their lease before that call.
function reserve_again(memo_answer, random, most_bytes, own, at, lease_end)
  local most_lost = tonumber(string.match(memo_answer, '^%d+')) or 0
  local ids, packed, lost, place = {}, {}, 0, -1
  for id in string.gmatch(memo_answer, '[^\n]+') do
    place = place + 1
    local known = place > 0 and redis.call('HGET', facts, id)
    if string.find(unpack_facts(known).token, ':' .. random, 1, true) then
      ids[#ids + 1], packed[#packed + 1] = id, known
      lost = lost + (place <= most_lost and 1 or 0)
    end
  end
  local records, expiries, given_back = records_of(ids, most_bytes), {}, {}
  for n, id in ipairs(ids) do
    local fact = unpack_facts(packed[n])
    if n <= #records then
      expiries[#expiries + 1] = ms(lease_end(fact.lease, fact.claimed) + 1)
      expiries[#expiries + 1] = id
    else
      if own then
        give_back(id, fact, at)
        given_back[id] = true
      end
      ids[n] = nil
    end
  end
  if #expiries > 0 then
    add_reserved(unpack(expiries))
  end
  ring(given_back)
  return ids, records, packed, math.min(lost, #records)
end
