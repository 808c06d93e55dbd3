-- Gives jobs up. The record and the reason are kept for a redrive.
--
-- ARGV  1 number of the call; then for each job (at most 200)
--       id
--       token of the claim
--       reason
--       1 after an attempt, 0 if the job was not run: the attempt that the claim counted is taken back
-- Returns one character for each job: 1 dead, 0 the claim no longer holds the job.
-- Cost  O(log dead) for each job.
--- @keys errors
--- @include check
--- @include reserved
--- @include memo
--- @include full
--- @include now
--- @include steps
--- @include once
--- @include facts
--- @include settle
--- @include dead
--- @include free
local number = ARGV[1]

check_keys()

return once(number, function()
  local at, why, ended = now(), {}, {}
  local answer = settle(add_dead, 4, function(fact, i)
    fact.since, fact.lost = '', 0
    fact.attempt = math.max(0, fact.attempt - (ARGV[i + 3] == '0' and 1 or 0))
    why[#why + 1], why[#why + 2], ended[#ended + 1] = ARGV[i], ARGV[i + 2], ARGV[i]
    free(ARGV[i], fact.key)
    if steps then
      note('BURY', 'X', ARGV[i], fact.attempt, string.format('%.0f', at), ARGV[i + 2])
      add_field('place', place_of_dead(fact))
    end
    return at
  end)
  if #why > 0 then
    redis.call('HSET', errors, unpack(why))
    settle_dead(unpack(ended))
  end
  return answer
end)
