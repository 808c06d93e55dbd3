-- Hands due jobs to a node under a lease: those whose lease ran out first, then those due longest. What stands among them under an
-- id that no submit can have made is dead at once: no node could say anything about it. For some time after a silence of all nodes,
-- which is an outage of Redis as a rule, leases that ran out are left to their owners, who could not renew them. In a mixed fleet it
-- first passes on what other nodes have the handler for and this one has not, and takes what they passed on: see include/mixed.lua.
--
-- A repeat hands out what its call did and still holds, under a fresh lease. What does not fit into its answer any more is given
-- back without spending an attempt, so that an answer that is too long for its connection is not repeated for ever.
--
-- ARGV  1 number of the call
--       2 node
--       3 at most this many jobs (1 to 250)
--       4 lease, ms, for jobs without one of their own
--       5 random part of the token
--       6 at most this many whose lease ran out; and with such a job, or with one that lost its lease before and was given back or passed
--         on since, at most this many in all
--       7 at most this many bytes of records, but one job at least; 0 for no job. In a mixed fleet those that are passed on count too, so that
--         there may be none
--       8 1 if a call of the lane was not answered and may still arrive, else 0. Then a memo is left also if nothing is found, so that
--         it hands out nothing. Any other call that finds nothing writes nothing.
--       9 channel on which the nodes listen for: shard, and behind a line feed each the names of jobs that were passed on
--      10 the shard, as they know it
--      11 ms by which jobs are handed out before they are due, 0 or more: the node begins each when it is due
-- Returns { now, microseconds, QUIET, BUSY or PAUSED, ms until it is worth to claim again (0: now, -1: nothing waits), token of the claim,
--           live nodes, 1 if one of them is the holder or 0, how many of the jobs had lost their lease: the first ones,
--           then for each job: id, record or empty if it is missing, packed facts; or its due time, ms, alone, if it had no facts }
-- Cost  O(log waiting) for each job; reads at most ten records more than it hands out. In a mixed fleet it looks at 250 records at most
--       besides, and at no more bytes of them than it may hand out but for the last one, and asks for the hints of each of the node's names.
--- @keys jobs waiting reserved dead facts errors epoch holder busy paused pulse
--- @optional handlers hints
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include live
--- @include facts
--- @include sound
--- @include ring
--- @include time
--- @include handlers
--- @include hints
--- @include mixed
--- @include pulse
local number, node, limit, lease, random = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local ahead = tonumber(ARGV[11])
local beside_lost = math.min(limit, tonumber(ARGV[6]))
local most_bytes, unsure = tonumber(ARGV[7]), ARGV[8] == '1'

check_keys()

local at, micros = now()
go_on_when_full(reserved)
local live = live_nodes(at)
-- One command for all four; of a key of another type it says that there is none.
local is_paused, is_busy, is_held, packed_pulse = unpack(redis.call('MGET', paused, busy, holder, pulse), 1, 4)
local left_until = respite_end(packed_pulse, at)
local answer = { at * 1000 + micros, is_busy and 'BUSY' or 'QUIET', -1, '', live, is_held and 1 or 0, 0 }

local function hand_out(id, record, known)
  local n = #answer
  answer[n + 1], answer[n + 2], answer[n + 3] = id, record or '', known
end

local usual_expiry = ms(at + lease)

-- When the lease of a job ends that begins then, which is not before now.
local function expiry(own, begins)
  local from = math.max(at, tonumber(begins) or at)
  return own == '' and from == at and usual_expiry or ms(from + (tonumber(own) or lease))
end

-- The ids of a set that are due by then, their scores, and how many were looked at.
local function due_in(set, by, most)
  local ids, scores = {}, {}
  local found = most > 0 and redis.call('ZRANGEBYSCORE', set, '-inf', by, 'WITHSCORES', 'LIMIT', 0, most) or {}
  for i = 1, #found, 2 do
    local id = found[i]
    if sound(id) then
      ids[#ids + 1] = id
      scores[#scores + 1] = found[i + 1]
    else
      redis.call('HSET', errors, id, 'its id is none that a submit can have made: empty, too long, control characters, or no UTF-8')
      redis.call('ZADD', dead, at, id)
      redis.call('ZREM', set, id)
    end
  end
  return ids, scores, #found / 2
end

-- A new epoch. What is no number, or cannot grow, gives way to one that is ahead of any count.
local function next_epoch()
  local last = redis.call('GET', epoch) or '0'
  if #last > 15 or string.find(last, '%D') or last == '' or string.find(last, '^0%d') then
    redis.call('SET', epoch, ms(at))
  end
  return ms(redis.call('INCRBY', epoch, 1))
end

-- Until the next lease runs out; or until half of `ahead` before the next job is due, so that the claim finds more than this one.
local function ms_to_next()
  local due = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')[2]
  local expiry = redis.call('ZRANGE', reserved, 0, 0, 'WITHSCORES')[2]
  if not due and not expiry then
    return -1
  end
  local lost = math.max(tonumber(expiry or due), expiry and left_until or 0)
  local next = due and tonumber(due) - math.floor(ahead / 2) or lost
  return math.max(0, math.min(next, lost, 9e15) - at)
end

-- The records of the first of some jobs, as many as fit. Long ones are not read all, only to be left.
local function records_of(ids)
  local records, bytes = {}, 0
  for first = 1, most_bytes > 0 and #ids or 0, 10 do
    for _, record in ipairs(redis.call('HMGET', jobs, unpack(ids, first, math.min(first + 9, #ids)))) do
      bytes = bytes + (record and #record or 0)
      if bytes > most_bytes and #records > 0 then
        return records
      end
      records[#records + 1] = record
    end
  end
  return records
end

local function keep_first(ids, most)
  for n = #ids, most + 1, -1 do
    ids[n] = nil
  end
end

-- For each job its facts, or false if it has none: most have none until they are claimed.
local function facts_of(ids)
  local before = {}
  for n, packed in ipairs(#ids > 0 and redis.call('HMGET', facts, unpack(ids)) or {}) do
    before[n] = packed and unpack_facts(packed)
  end
  return before
end

-- How many of some jobs may be handed out together, by their facts: one whose lease ran out may be what ended its node.
local function together(before)
  for n, fact in ipairs(before) do
    if fact and fact.lost > 0 then
      return math.min(#before, math.max(beside_lost, n - 1))
    end
  end
  return #before
end

local function give_back(id, fact)
  fact.token, fact.node, fact.attempt = '', '', math.max(0, fact.attempt - 1)
  redis.call('HSET', facts, id, pack_facts(fact))
  redis.call('ZADD', waiting, tonumber(fact.due) and fact.due or ms(at), id)
  redis.call('ZREM', reserved, id)
end

local function keep(lost, ids)
  remember(number, lost .. '\n' .. table.concat(ids, '\n'))
end

local known = recall(number)
if known then
  local lost = tonumber(string.match(known, '^%d+')) or 0
  local held, before, place = {}, {}, -1
  for id in string.gmatch(known, '[^\n]+') do
    place = place + 1
    local packed = place > 0 and redis.call('HGET', facts, id)
    if string.find(unpack_facts(packed).token, ':' .. random, 1, true) then
      held[#held + 1], before[#before + 1] = id, packed
      answer[7] = answer[7] + (place <= lost and 1 or 0)
    end
  end
  local records, expiries, given_back = records_of(held), {}, {}
  for n, id in ipairs(held) do
    local fact = unpack_facts(before[n])
    if n <= #records then
      expiries[#expiries + 1] = expiry(fact.lease, fact.claimed)
      expiries[#expiries + 1] = id
      hand_out(id, records[n], before[n])
    else
      give_back(id, fact)
      given_back[id] = true
    end
  end
  if #expiries > 0 then
    redis.call('ZADD', reserved, unpack(expiries))
  end
  ring(given_back)
  answer[3], answer[7] = ms_to_next(), math.min(answer[7], #records)
  return answer
end

if is_paused then
  if unsure then
    keep(0, {})
  end
  answer[2] = 'PAUSED'
  return answer
end

local lost_limit = left_until > 0 and 0 or beside_lost
local most_lost, most_waiting, more_hints, names = lost_limit, limit, false, {}
if hints then
  most_lost, most_waiting, more_hints =
    sort_out(node, at, ahead, limit, lost_limit, most_bytes, names)
  tell(ARGV[9], ARGV[10], names)
end
local ids, _, looked = due_in(reserved, at, most_lost)
local expired = #ids
local waited, due = due_in(waiting, at + ahead, math.min(most_waiting, (expired > 0 and lost_limit or limit) - looked))
for _, id in ipairs(waited) do
  ids[#ids + 1] = id
end
local records = records_of(ids)
keep_first(ids, #records)
local before = facts_of(ids)
keep_first(ids, together(before))
expired = math.min(expired, #ids)
answer[7] = expired
if #ids > 0 then
  local token, claimed = next_epoch() .. ':' .. random, ms(at)
  local before_due, before_claimed, behind = first_facts(token, node)
  local expiries, after = {}, {}
  answer[4] = token

  -- A job that was handed out before it was due counts as claimed when it is.
  local function begins(due)
    return due ~= '' and tonumber(due) > at and due or claimed
  end

  -- What the answer says of the job, its facts, and when its lease ends.
  local function claim(n)
    local score, fact = due[n - expired], before[n]
    if fact or not score then
      fact = fact or unpack_facts()
      fact.token, fact.node = token, node
      fact.attempt = fact.attempt + 1
      if not score then
        -- Its node ran it, and died.
        fact.since = ''
        fact.lost = fact.lost + 1
      elseif fact.since == '' or fact.due == '' then
        -- Otherwise its score is when it is offered again, and not when it was due.
        fact.due = due_of(score)
      end
      fact.claimed = begins(fact.due)
      local packed = pack_facts(fact)
      return packed, packed, expiry(fact.lease, fact.claimed)
    end
    local first_due = due_of(score)
    local from = begins(first_due)
    return first_due, before_due .. first_due .. before_claimed .. from .. behind, expiry('', from)
  end

  for n, id in ipairs(ids) do
    local i = 2 * n
    local known
    known, after[i], expiries[i - 1] = claim(n)
    after[i - 1], expiries[i] = id, id
    hand_out(id, records[n], known)
  end
  -- The facts come last: where the user of Redis may not do all of this, no attempt is counted that nobody makes.
  redis.call('ZADD', reserved, unpack(expiries))
  if #ids > expired then
    redis.call('ZREM', waiting, unpack(ids, expired + 1))
  end
  redis.call('HSET', facts, unpack(after))
end
if #ids > 0 or unsure then
  keep(expired, ids)
end
answer[3] = more_hints and 0 or ms_to_next()
return answer
