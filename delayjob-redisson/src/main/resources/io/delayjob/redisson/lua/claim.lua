-- Hands due jobs to a node under a lease: include/ready.lua decides which. For some time after a silence of all nodes, which is an outage
-- of Redis as a rule, leases that ran out are left to their owners, who could not renew them.
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
-- Returns { now in microseconds, QUIET, BUSY or PAUSED, ms until it is worth to claim again (0: now, -1: nothing waits), token of the claim,
--           live nodes, 1 if one of them is the holder or 0, how many of the jobs had lost their lease: the first ones,
--           then for each job: id, record or empty if it is missing, packed facts; or its due time, ms, alone, if it had no facts }
-- The memo is how many of the jobs had lost their lease, and their ids, a line each.
-- Cost  O(log waiting) for each job; reads at most ten records more than it hands out. In a mixed fleet it looks at 250 records at most
--       besides, and at no more bytes of them than it may hand out but for the last one, and asks for the hints of each of the node's names.
--- @keys reserved paused busy holder pulse
--- @optional handlers hints
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include live
--- @include facts
--- @include valid
--- @include ring
--- @include time
--- @include handlers
--- @include hints
--- @include record_name
--- @include take_back
--- @include mixed
--- @include pulse
--- @include records
--- @include ready
--- @include lease
--- @include reserve
--- @include again
--- @include next
local number, node, limit, lease, random = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local beside_lost, most_bytes, unsure = math.min(limit, tonumber(ARGV[6])), tonumber(ARGV[7]), ARGV[8] == '1'
local channel, shard, ahead = ARGV[9], ARGV[10], tonumber(ARGV[11])

check_keys()

local at, micros = now()
go_on_when_full(reserved)
local live = live_nodes(at)
-- One command for all four; a key of another type counts as missing.
local is_paused, is_busy, is_held, packed_pulse = unpack(redis.call('MGET', paused, busy, holder, pulse), 1, 4)
local respite = respite_end(packed_pulse, at)
local lease_end = lease_ends(at, lease)
local answer = { at * 1000 + micros, is_busy and 'BUSY' or 'QUIET', -1, '', live, is_held and 1 or 0, 0 }

local function hand_out(ids, records, known)
  for n, id in ipairs(ids) do
    local i = 3 * n + 5
    answer[i], answer[i + 1], answer[i + 2] = id, records[n] or '', known[n]
  end
end

local function keep(lost, ids)
  remember(number, lost .. '\n' .. table.concat(ids, '\n'))
end

local before = recall(number)
if before then
  local ids, records, known, lost = reserve_again(before, random, most_bytes, at, lease_end)
  hand_out(ids, records, known)
  answer[3], answer[7] = ms_to_next(at, ahead, respite), lost
  return answer
elseif is_paused then
  if unsure then
    keep(0, {})
  end
  answer[2] = 'PAUSED'
  return answer
end

local names, most_lost = {}, respite > 0 and 0 or beside_lost
local ids, expired, due, records, facts_before, more = ready(node, at, ahead, limit, most_lost, beside_lost, most_bytes, names)
tell(channel, shard, names)
if #ids > 0 then
  local token, known = reserve(ids, expired, due, facts_before, node, random, at, lease_end)
  hand_out(ids, records, known)
  answer[4], answer[7] = token, expired
end
if #ids > 0 or unsure then
  keep(expired, ids)
end
answer[3] = more and 0 or ms_to_next(at, ahead, respite)
return answer
