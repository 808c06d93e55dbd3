-- Gives jobs back without spending an attempt. How many attempts in a row were lost stays as it was: nothing of the job has run to
-- its end.
--
-- KEYS  1 reserved   ZSET id -> lease expiry, ms
--       2 waiting    ZSET id -> due, ms
--       3 facts      HASH id -> packed facts
--       4 ready      LIST of ids, the doorbell
--       5 watermark  STRING ms
--       6 memo       STRING of the lane
-- ARGV  1 number of the call; then for each job (at most 250)
--       id
--       token of the claim
--       ms until it is offered again because this node cannot run the job, or empty to wait with the due time it had, as one
--       that nodes can run
-- Returns one character for each job: 1 waits again, 0 the claim no longer holds it.
-- Cost  O(log waiting) for each job.
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include facts
--- @include settle
--- @include ring
local reserved, waiting, facts, ready, watermark, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local number = ARGV[1]

check_keys()

return once(memo, number, function()
  local at = now()
  local answer, moved = settle(reserved, facts, 3, function(fact, i)
    local delay = ARGV[i + 2]
    fact.attempt = math.max(0, fact.attempt - 1)
    if delay == '' then
      fact.since = ''
      return waiting, tonumber(fact.due) or at
    end
    fact.since = fact.since ~= '' and fact.since or string.format('%.0f', at)
    return waiting, at + tonumber(delay)
  end)
  ring(waiting, ready, watermark, moved)
  return answer
end)
