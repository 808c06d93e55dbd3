-- Hands due jobs to a node under a lease; include/ready.lua decides which. For some time after a silence of all nodes, which
-- usually means an outage of Redis, leases that ran out are left to their owners, who could not renew them. Where a journal has not compared
-- for long, it is awaited first.
--
-- A repeat hands out the jobs that the call handed out and still holds, under fresh leases. Jobs that no longer fit into the answer
-- are given back without spending an attempt, so that an answer which is too long for its connection is not repeated for ever; unless
-- another node may send the call too, because its answer may have had them.
--
-- ARGV  1 number of the call
--       2 node
--       3 the most new jobs to hand out (0 to 200)
--       4 lease, ms, for jobs without one of their own
--       5 random part of the token
--       6 the most jobs whose lease ran out; and the most jobs in total if the claim hands out such a job, or one that lost its lease
--         before and was given back or passed on since
--       7 the most bytes of records, but at least one job; 0 for no job. In a mixed fleet the records of passed on jobs count too, so the
--         claim may hand out none
--       8 1 if a call of the lane was not answered and may still arrive, else 0. If 1, a memo is written even if no job is found, so that
--         the earlier call hands out nothing. Otherwise a claim that finds nothing writes nothing. Always 0 if another
--         node may send the call too.
--       9 channel of notices to all nodes; a message is the shard and, each after a line feed, the names of jobs that were passed on
--      10 the shard, as it is named in messages
--      11 ms by which jobs are handed out before they are due, 0 or more; the node begins each job when it is due
--      12 the worker, as it is stored with the jobs
--      13 ms by which each step of priority puts a job before others, 0 or more; see include/waiting.lua
-- Returns { now in microseconds, QUIET, BUSY, PAUSED or FULL (the flow log), ms until the next claim is worthwhile (0: now, -1: nothing waits), token,
--           live nodes, 1 if one of them is the holder else 0, how many of the jobs had lost their lease (they come first),
--           then for each job: id, record (empty if it is missing), packed facts (or only its due time, ms, if it had no facts) }
-- The memo contains how many of the jobs had lost their lease, and the ids of all jobs, one per line.
-- Cost  O(log waiting) for each job; reads at most ten records more than it hands out. In a mixed fleet it also examines at most 200
--       records, with no more bytes than it may hand out plus the last record, and reads the hints of each of the node's names.
--- @keys paused busy holder pulse
--- @optional handlers hints
--- @include check
--- @include reserved
--- @include memo
--- @include waiting
--- @include full
--- @once now
--- @include steps
--- @include room
--- @include compared
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
--- @include dead
--- @include ready
--- @include lease
--- @include reserve
--- @include again
--- @include next
local number, node, limit, lease, random = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local beside_lost, most_bytes, unsure = math.min(limit, tonumber(ARGV[6])), tonumber(ARGV[7]), ARGV[8] == '1'
local channel, shard, ahead, worker, boost = ARGV[9], ARGV[10], tonumber(ARGV[11]), ARGV[12], tonumber(ARGV[13])

-- After how many ms a claim that waits for the journal is worthwhile again.
local AGAIN = 200

check_keys()

local at, micros = now()
local live = live_nodes(at)
-- One command for all five; a key of the wrong type counts as missing.
local is_paused, is_busy, is_held, packed_pulse, packed_compared =
  unpack(redis.call('MGET', paused, busy, holder, pulse, compared), 1, 5)
local before, packed_bound = recall(number)
local bound = open_log(packed_bound)
go_on_when_full()
local grace_end = grace_period_end(packed_pulse, at)
local lease_end = lease_ends(at, lease)
local answer = { at * 1000 + micros % 1000, is_busy and 'BUSY' or 'QUIET', -1, '', live, is_held and 1 or 0, 0 }

local function hand_out(ids, records, known)
  for n, id in ipairs(ids) do
    local i = 3 * n + 5
    answer[i], answer[i + 1], answer[i + 2] = id, records[n] or '', known[n]
  end
end

local function keep(lost, ids)
  remember(number, lost .. '\n' .. table.concat(ids, '\n'))
end

if before then
  local ids, records, known, lost = reserve_again(before, random, most_bytes, unsure, at, lease_end)
  hand_out(ids, records, known)
  answer[3], answer[7] = ms_to_next(at, ahead, grace_end), lost
  if steps then
    close_log()
  end
  return answer
elseif is_paused or log_is_full(bound) then
  if unsure then
    keep(0, {})
  end
  answer[2] = is_paused and 'PAUSED' or 'FULL'
  return answer
elseif awaits_journal(packed_compared, at) then
  if unsure then
    keep(0, {})
  end
  answer[3] = AGAIN
  return answer
end

local names, most_lost = {}, grace_end > 0 and 0 or beside_lost
local ids, expired, due, records, facts_before, more = ready(node, at, ahead, boost, limit, most_lost, beside_lost, most_bytes, names)
tell(channel, shard, names)
if #ids > 0 then
  local token, known = reserve(ids, expired, due, facts_before, worker, random, at, lease_end)
  hand_out(ids, records, known)
  answer[4], answer[7] = token, expired
end
if #ids > 0 or unsure then
  keep(expired, ids)
end
answer[3] = more and 0 or ms_to_next(at, ahead, grace_end)
if steps then
  close_log()
end
return answer
