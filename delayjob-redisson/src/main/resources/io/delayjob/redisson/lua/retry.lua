-- Lets jobs whose attempt failed wait for the next one.
--
-- KEYS  1 reserved   ZSET id -> lease expiry, ms
--       2 waiting    ZSET id -> due, ms
--       3 facts      HASH id -> packed facts
--       4 errors     HASH id -> last error
--       5 ready      LIST of ids, the doorbell
--       6 watermark  STRING ms
--       7 memo       STRING of the lane
-- ARGV  1 number of the call; then for each job (at most 250)
--       id
--       token of the claim
--       backoff, ms
--       error
-- Returns one character for each job: 1 waits again, 0 the claim no longer holds it.
-- Cost  O(log waiting) for each job.
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include facts
--- @include settle
--- @include ring
local reserved, waiting, facts, errors, ready, watermark, memo =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local number = ARGV[1]

check_keys()

return once(memo, number, function()
  local at = now()
  local answer, moved = settle(reserved, facts, 4, function(fact, i)
    fact.since, fact.lost = '', 0
    redis.call('HSET', errors, ARGV[i], ARGV[i + 3])
    return waiting, at + tonumber(ARGV[i + 2])
  end)
  ring(waiting, ready, watermark, moved)
  return answer
end)
