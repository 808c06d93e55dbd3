-- Lets jobs whose attempt failed wait for the next one.
--
-- ARGV  1 number of the call; then for each job (at most 250)
--       id
--       token of the claim
--       backoff, ms
--       error
-- Returns one character for each job: 1 waits again, 0 the claim no longer holds it.
-- Cost  O(log waiting) for each job.
--- @keys waiting errors
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include facts
--- @include settle
--- @include ring
local number = ARGV[1]

check_keys()

return once(number, function()
  local at = now()
  local answer, moved = settle(4, function(fact, i)
    fact.since, fact.lost = '', 0
    redis.call('HSET', errors, ARGV[i], ARGV[i + 3])
    return waiting, at + tonumber(ARGV[i + 2])
  end)
  ring(moved)
  return answer
end)
