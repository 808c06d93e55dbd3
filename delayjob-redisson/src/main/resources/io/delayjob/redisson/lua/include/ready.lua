--- @exports ready
--- @keys facts errors
-- ready(...), at the end, decides which due jobs a claim takes. Nothing else does.
--
-- usable(found, remove, at): the ids among what due_waiting or due_reserved found, their times, and how many were examined. A job with an
-- invalid id is moved to `dead`, because no node could refer to it; `remove` removes it from where it was found.
local function usable(found, remove, at)
  local ids, scores = {}, {}
  for i = 1, #found, 2 do
    local id = found[i]
    if valid_id(id) then
      ids[#ids + 1] = id
      scores[#scores + 1] = found[i + 1]
    else
      redis.call('HSET', errors, id, 'invalid id: empty, over 384 bytes, control characters or not UTF-8')
      add_dead(at, id)
      remove(id)
    end
  end
  return ids, scores, #found / 2
end

-- The facts of each job, or false if it has none, as most jobs before their first claim. Of a job whose lease did not run out, and that was never claimed
-- and has no lease of its own, only the rest that reserve needs. The first `expired` jobs had lost their lease.
local function facts_of(ids, expired)
  local before = {}
  for n, packed in ipairs(#ids > 0 and redis.call('HMGET', facts, unpack(ids)) or {}) do
    local rest = packed and n > expired and rest_of_new(packed)
    before[n] = rest and { token = '', lost = 0, rest = rest } or packed and unpack_facts(packed)
  end
  return before
end

-- How many of these jobs may be handed out together, by their facts, because a job whose lease ran out may have crashed its node.
local function together(before, beside_lost)
  for n, fact in ipairs(before) do
    if fact and fact.lost > 0 then
      return math.min(#before, math.max(beside_lost, n - 1))
    end
  end
  return #before
end

local function keep_first(ids, most)
  for n = #ids, most + 1, -1 do
    ids[n] = nil
  end
end

-- ready(node, at, ahead, boost, limit, most_lost, beside_lost, most_bytes, names): takes jobs whose lease ran out first, at most
-- `most_lost`, then jobs that are due by at + ahead, by their ranks; at most `limit` in total, or `beside_lost` if one of
-- them lost its lease, and at most `beside_lost` that are subject to limits. In a mixed fleet it first passes on jobs that this node has no handler for, and adds to `names` the names
-- that nodes are told of.
-- Returns their ids; how many of them, which come first, had lost their lease; the scores of the others; the record and the facts of each,
-- or false; and whether more jobs were passed on to this node.
function ready(node, at, ahead, boost, limit, most_lost, beside_lost, most_bytes, names)
  local lost_in_front, waiting_in_front, more = most_lost, limit, false
  if hints then
    lost_in_front, waiting_in_front, more = sort_out(node, at, ahead, boost, limit, beside_lost, most_lost, most_bytes, names)
  end
  local ids, _, looked = usable(due_reserved(at, lost_in_front), remove_reserved, at)
  local expired = #ids
  local most_due = math.min(waiting_in_front, (expired > 0 and most_lost or limit) - looked)
  local waiting_now, prioritized_ids = due_waiting(at + ahead, most_due, 0, nil, boost, at, beside_lost)
  local others, due = usable(waiting_now, remove_waiting, at)
  for _, id in ipairs(others) do
    ids[#ids + 1] = id
  end
  local records = records_of(ids, most_bytes)
  keep_first(ids, #records)
  local before = facts_of(ids, expired)
  keep_first(ids, together(before, beside_lost))
  if prioritized_ids then
    -- A node of an older release does not know `prioritized`. A job of that set that it took from `waiting` runs or has ended, and is left
    -- out here. A job that it found in none of its sets and so made dead, see include/repair.lua, is handed out, and leaves `dead`.
    local kept, stale, alive = 0, {}, {}
    for n, id in ipairs(ids) do
      local fact, is_here = before[n], n > expired and prioritized_ids[id]
      if is_here and (fact and fact.token ~= '' or not fact and not records[n]) then
        stale[#stale + 1] = id
      else
        kept = kept + 1
        ids[kept], records[kept], before[kept], due[kept - expired] = id, records[n], fact, due[n - expired]
        alive[#alive + 1] = is_here and id or nil
      end
    end
    keep_first(ids, kept)
    if #stale > 0 then
      remove_waiting(unpack(stale))
    end
    if #alive > 0 then
      remove_dead(unpack(alive))
    end
  end
  return ids, math.min(expired, #ids), due, records, before, more
end
