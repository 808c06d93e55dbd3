-- Makes jobs whose attempt failed wait for the next one.
--
-- ARGV  1 number of the call; then for each job (at most 200)
--       id
--       token of the claim
--       backoff, ms
--       error
-- Returns one character for each job: 1 waits again, 0 the claim no longer holds the job.
-- Cost  O(log waiting) for each job.
--- @keys errors
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
--- @include ring
local number = ARGV[1]

check_keys()

return once(number, function()
  local at, why = now(), {}
  local answer, moved = settle(return_waiting, 4, function(fact, i)
    fact.since, fact.lost = '', 0
    why[#why + 1], why[#why + 2] = ARGV[i], ARGV[i + 3]
    local again = at + tonumber(ARGV[i + 2])
    if steps then
      note('RETRY', 'D', ARGV[i], fact.attempt, string.format('%.0f', again), ARGV[i + 3])
      add_field('place', place_of_returning(fact, again))
    end
    return again
  end)
  if #why > 0 then
    redis.call('HSET', errors, unpack(why))
  end
  ring(moved)
  return answer
end)
