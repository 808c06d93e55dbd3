-- Reads all that is known of one job.
--
-- KEYS  1 jobs      HASH id -> record
--       2 waiting   ZSET id -> due, ms
--       3 reserved  ZSET id -> lease expiry, ms
--       4 dead      ZSET id -> time of death, ms
--       5 facts     HASH id -> packed facts
--       6 errors    HASH id -> last error
-- ARGV  1 id
-- Returns { } if there is no such job, else { DELAYED, READY, RESERVED or DEAD, the score that goes with it, ms,
--           record or empty, packed facts or empty, last error or empty }
-- Cost  O(1).
--- @include now
local jobs, waiting, reserved, dead, facts, errors = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local id = ARGV[1]

local state
local score = redis.call('ZSCORE', waiting, id)
if score then
  state = tonumber(score) <= now() and 'READY' or 'DELAYED'
else
  score = redis.call('ZSCORE', reserved, id)
  state = 'RESERVED'
  if not score then
    score = redis.call('ZSCORE', dead, id)
    state = 'DEAD'
  end
end
if not score then
  return {}
end
return {
  state,
  score,
  redis.call('HGET', jobs, id) or '',
  redis.call('HGET', facts, id) or '',
  redis.call('HGET', errors, id) or '',
}
