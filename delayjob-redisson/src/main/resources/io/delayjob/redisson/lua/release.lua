-- Gives jobs back without spending an attempt. The count of attempts in a row that lost their lease does not change, because no
-- attempt has ended.
--
-- ARGV  1 number of the call
--       2 channel of notices to all nodes; a message is the shard and, each after a line feed, the names of jobs that were passed on
--       3 the shard, as it is named in messages; then for each job (at most 200)
--       id
--       token of the claim
--       ms until the job is offered again, because this node cannot run it; or empty to keep its due time, as a job that nodes
--       can run
--       the name that this node has no handler for, or empty if it cannot read the record
--       ms; when the lease must end, so that the job is left to whoever has it if it was extended or handed out again; or empty
--       ms for which no job with its key begins, or none of the shard without a key; or empty
--       1 if its attempt had begun, or empty
-- Returns one character for each job: 1 waits again, 0 the claim no longer holds the job, or its lease ends at another time.
-- Cost  O(log waiting) for each job, and O(nodes) if a node cannot run it.
--- @include check
--- @include reserved
--- @include memo
--- @include waiting
--- @include full
--- @include now
--- @include steps
--- @include once
--- @include facts
--- @include settle
--- @include slow_down
--- @include ring
--- @include time
--- @include handlers
--- @include hints
local number, channel, shard = ARGV[1], table.remove(ARGV, 2), table.remove(ARGV, 2)

check_keys()

return once(number, function()
  local at, live_names, names = now(), nil, {}

  -- Leaves a hint, and answers whether a live node has the handler; if so, the time without a handler counts from when the job is
  -- offered again. No node needs to be told if none has the handler: one that starts later finds the hint by itself.
  local function is_left_to_another(id, name, due)
    live_names = live_names or live_handlers(at)
    local other_has_it = name ~= '' and some_have(live_names, name)
    leave_hint(other_has_it and names or {}, name, due, id)
    return other_has_it
  end

  local function ends(id, lease_end)
    return lease_end == '' or tonumber(reserved_until(id)) == tonumber(lease_end)
  end

  -- Changes the facts of a job, and answers when it is offered again.
  local function give(fact, id, delay, name)
    fact.node, fact.attempt = '', math.max(0, fact.attempt - 1)
    if delay == '' then
      fact.since = ''
      return tonumber(fact.due) or at
    end
    local again = at + tonumber(delay)
    fact.due = fact.due ~= '' and fact.due or ms(at)
    if is_left_to_another(id, name, fact.due) then
      fact.since = ms(again)
    elseif fact.since == '' then
      fact.since = ms(at)
    end
    return again
  end

  local answer, moved = settle(give_back_waiting, 7, function(fact, i)
    if not ends(ARGV[i], ARGV[i + 4]) then
      return nil
    end
    slow_down(fact, ARGV[i + 5])
    if ARGV[i + 6] == '1' and not string.find(fact.others .. '|', '|begun=1|', 1, true) then
      fact.others = fact.others .. '|begun=1'
    end
    local again = give(fact, ARGV[i], ARGV[i + 2], ARGV[i + 3])
    if steps then
      note('RELEASE', 'D', ARGV[i], fact.attempt, ms(again))
      add_field('place', place_of_returning(fact, again))
    end
    return again
  end)
  ring(moved)
  tell(channel, shard, names)
  return answer
end)
