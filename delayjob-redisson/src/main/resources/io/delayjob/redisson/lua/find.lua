-- Reads all that is known of one job.
--
-- KEYS  1 waiting   ZSET id -> due, ms
--       2 reserved  ZSET id -> lease expiry, ms
--       3 dead      ZSET id -> time of death, ms
--       4 finished  ZSET id -> its end, ms
--       5 jobs      HASH id -> record
--       6 facts     HASH id -> packed facts
--       7 errors    HASH id -> last error
--       8 progress  HASH id -> percent|text
--       9 archive   HASH id -> record of a finished job
--      10 outcomes  HASH id -> how it ended
-- ARGV  1 id
-- Returns { } if there is no such job, else what include/describe.lua says.
-- Cost  O(1).
--- @include check
--- @include now
--- @include state
--- @include describe
local waiting, reserved, dead, finished, outcomes = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[10]
local id = ARGV[1]

check_keys()

local letter, score = state_of(waiting, reserved, dead, finished, outcomes, id, (now()))
if not score then
  return {}
end
return describe({ unpack(KEYS, 5) }, id, letter, score)
