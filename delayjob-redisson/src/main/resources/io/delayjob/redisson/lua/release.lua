-- Gives jobs back without spending an attempt. The count of attempts in a row that lost their lease stays: no attempt has ended.
--
-- ARGV  1 number of the call
--       2 channel on which the nodes listen for: shard, and behind a line feed each the names of jobs that were passed on
--       3 the shard, as they know it; then for each job (at most 250)
--       id
--       token of the claim
--       ms until it is offered again because this node cannot run the job, or empty to wait with the due time it had, as one
--       that nodes can run
--       the name that this node has no handler for, or empty if that is not why it cannot run the job
-- Returns one character for each job: 1 waits again, 0 the claim no longer holds it.
-- Cost  O(log waiting) for each job, and O(nodes) if a handler is missing.
--- @keys waiting
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include facts
--- @include settle
--- @include ring
--- @include time
--- @include handlers
--- @include hints
local number, channel, shard = ARGV[1], table.remove(ARGV, 2), table.remove(ARGV, 2)

check_keys()

return once(number, function()
  local at, live_names, names = now(), nil, {}

  -- Whether a live node has the handler: the time in which none has counts from when the job is offered again. A node that comes
  -- later looks by itself.
  local function is_left_to_another(id, name, due)
    live_names = live_names or live_handlers(at)
    local other_has_it = some_have(live_names, name)
    leave_hint(other_has_it and names or {}, name, due, id)
    return other_has_it
  end

  local answer, moved = settle(waiting, 4, function(fact, i)
    local delay, name = ARGV[i + 2], ARGV[i + 3]
    fact.attempt = math.max(0, fact.attempt - 1)
    if delay == '' then
      fact.since = ''
      return tonumber(fact.due) or at
    end
    local again = at + tonumber(delay)
    fact.due = fact.due ~= '' and fact.due or ms(at)
    if name ~= '' and is_left_to_another(ARGV[i], name, fact.due) then
      fact.since = ms(again)
    elseif fact.since == '' then
      fact.since = ms(at)
    end
    return again
  end)
  ring(moved)
  tell(channel, shard, names)
  return answer
end)
