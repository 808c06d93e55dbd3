--- @exports sort_out
--- @keys jobs facts handlers hints
-- The first step of a claim in a mixed fleet, whose nodes have different handlers. A job that the claiming node has no handler for,
-- but another live node has, is *passed on*: it waits until it is offered again, with a hint, and its attempts are not
-- counted. After that, only jobs that this node can run, or that no live node can run, are due.
--
-- The job waits 5 s, or 1 ms for each hint if there are more than 5000, so that at most about a thousand jobs a second are offered
-- in vain while the nodes that can run them have no free worker.
--
-- This step examines at most 200 jobs, and stops when it has read more bytes of records than may be handed out. More jobs are due
-- then, so the next claim follows at once.
local SHORTEST_WAIT, MOST_LOOKED_AT = 5000, 200

-- sort_out(node, at, ahead, boost, limit, most_limited, lost_limit, most_bytes, names): prepares a claim of at most `limit` jobs and `most_bytes` of
-- records, of which at most `most_limited` are subject to limits and at most `lost_limit` jobs lost their lease; adds to `names` the names that nodes are told of. Returns how many
-- jobs whose lease ran out, and how many that wait, are at the front and may be handed out, and whether more than `limit` hints are
-- for this node.
function sort_out(node, at, ahead, boost, limit, most_limited, lost_limit, most_bytes, names)
  local own = redis.call('HGET', handlers, node)
  if not own then
    return lost_limit, limit, false
  end
  local live_names, later
  local foreign, looked, bytes = {}, 0, 0

  local function is_foreign(name)
    if foreign[name] == nil then
      live_names = live_names or live_handlers(at)
      foreign[name] = not has(own, name) and some_have(live_names, name)
    end
    return foreign[name]
  end

  local function pass_on(id, score, name, is_lost)
    local fact = unpack_facts(redis.call('HGET', facts, id))
    if is_lost then
      if steps then
        note('EXPIRE', 'R', id, fact.attempt)
        add_field('node', fact.node)
      end
      fact.token, fact.node, fact.lost = '', '', fact.lost + 1
      fact.due = fact.due ~= '' and fact.due or ms(at)
    elseif fact.since == '' or fact.due == '' then
      fact.due = due_of(score)
    end
    later = later or ms(at + math.max(SHORTEST_WAIT, redis.call('ZCARD', hints)))
    fact.since = later
    redis.call('HSET', facts, id, pack_facts(fact))
    return_waiting(later, id)
    if is_lost then
      remove_reserved(id)
    end
    if steps then
      note('PASS_ON', 'D', id, fact.attempt, later)
      add_field('place', place_of_returning(fact, later))
    end
    leave_hint(names, name, fact.due, id)
  end

  -- Passes on jobs that due_in finds with times up to `by`, until `wanted` jobs at the front are not passed on. Returns how many are at
  -- the front.
  local function clear(due_in, by, wanted)
    local kept, found = 0, nil
    repeat
      local most = math.min(wanted - kept, MOST_LOOKED_AT - looked)
      found = due_in(by, most, kept, nil, boost, at, most_limited)
      for i = 1, #found, 2 do
        if bytes > most_bytes then
          return kept
        end
        local record = valid_id(found[i]) and redis.call('HGET', jobs, found[i])
        local name = name_of(record)
        looked, bytes = looked + 1, bytes + (record and #record or 0)
        if name and is_foreign(name) then
          pass_on(found[i], found[i + 1], name, due_in == due_reserved)
        else
          kept = kept + 1
        end
      end
    until #found == 0
    return kept
  end

  local more = take_back(own, limit)
  return clear(due_reserved, at, lost_limit), clear(due_waiting, at + ahead, limit), more
end
