--- @exports reserve
--- @keys facts epoch
-- next_epoch(at): a new epoch. An invalid value, or one that cannot grow, is replaced by the time, which is ahead of any count.
local function next_epoch(at)
  local last = redis.call('GET', epoch) or '0'
  if #last > 15 or string.find(last, '%D') or last == '' or string.find(last, '^0%d') then
    redis.call('SET', epoch, ms(at))
  end
  return ms(redis.call('INCRBY', epoch, 1))
end

-- reserve(ids, expired, due, before, node, random, at, lease_end): hands jobs to a node. The first `expired` of them had lost their
-- lease; `due` has the scores of the others; `before` has the facts of each, or false. Returns the token, and for each job its
-- packed facts, or only the due time of a job that had none.
function reserve(ids, expired, due, before, node, random, at, lease_end)
  local token, claimed = next_epoch(at) .. ':' .. random, ms(at)
  local before_due, before_claimed, behind = first_facts(token, node)
  local expiries, after, known = {}, {}, {}
  local new_run = true

  -- A job that is handed out before it is due counts as claimed at its due time.
  local function begins(due)
    return due ~= '' and tonumber(due) > at and due or claimed
  end

  -- Most jobs of a claim begin their first attempt.
  local note_claim = steps and function(id, attempt)
    if new_run then
      begin_run('CLAIM', 'R')
      add_field('node', node)
      add_field('attempt', 1)
      new_run = false
    end
    note('CLAIM', 'R', id, attempt > 1 and attempt or nil)
  end

  -- Returns what the answer contains of the job, its new facts, and when its lease ends.
  local function claim(id, score, fact)
    if not score or fact and not fact.rest then
      fact = fact or unpack_facts()
      if steps and not score then
        note('EXPIRE', 'R', id, fact.attempt)
        add_field('node', fact.node)
        new_run = true
      end
      fact.token, fact.node = token, node
      fact.attempt = fact.attempt + 1
      if not score then
        -- Its node died while running it.
        fact.since = ''
        fact.lost = fact.lost + 1
      elseif fact.since == '' or fact.due == '' then
        -- Otherwise its score is the time at which it is offered again, not its due time.
        fact.due = due_of(score)
      end
      fact.claimed = begins(fact.due)
      if steps then
        note_claim(id, fact.attempt)
      end
      local packed = pack_facts(fact)
      return packed, packed, lease_end(fact.lease, fact.claimed)
    end
    if steps then
      note_claim(id, 1)
    end
    local first_due = due_of(score)
    local from = begins(first_due)
    return first_due, before_due .. first_due .. before_claimed .. from .. (fact and fact.rest or behind), lease_end('', from)
  end

  for n, id in ipairs(ids) do
    local i = 2 * n
    known[n], after[i], expiries[i - 1] = claim(id, due[n - expired], before[n])
    after[i - 1], expiries[i] = id, id
  end
  -- The facts are written last: if the Redis user may not do all of this, no attempt is counted that is not made.
  add_reserved(unpack(expiries))
  if expired > 0 then
    count_again(unpack(ids, 1, expired))
  end
  if #ids > expired then
    start_waiting(unpack(ids, expired + 1))
  end
  redis.call('HSET', facts, unpack(after))
  return token, known
end
