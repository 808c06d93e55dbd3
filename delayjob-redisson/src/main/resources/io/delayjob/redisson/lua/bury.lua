-- Gives jobs up: record and reason are kept for a redrive.
--
-- KEYS  1 reserved  ZSET id -> lease expiry, ms
--       2 dead      ZSET id -> time of death, ms
--       3 facts     HASH id -> packed facts
--       4 errors    HASH id -> last error
--       5 dedupe    HASH key -> who has it
--       6 memo      STRING of the lane
-- ARGV  1 number of the call; then for each job (at most 250)
--       id
--       token of the claim
--       reason
--       1 after an attempt, 0 if the claim was none: the attempt that it counted is taken back
-- Returns one character for each job: 1 dead, 0 the claim no longer holds it.
-- Cost  O(log dead) for each job.
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include facts
--- @include settle
--- @include free
local reserved, dead, facts, errors, dedupe, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local number = ARGV[1]

check_keys()

return once(memo, number, function()
  local at = now()
  local answer = settle(reserved, facts, 4, function(fact, i)
    fact.since, fact.lost = '', 0
    fact.attempt = math.max(0, fact.attempt - (ARGV[i + 3] == '0' and 1 or 0))
    redis.call('HSET', errors, ARGV[i], ARGV[i + 2])
    free(dedupe, ARGV[i], fact.key)
    return dead, at
  end)
  return answer
end)
