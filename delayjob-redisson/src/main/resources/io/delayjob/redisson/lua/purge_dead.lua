-- Removes the jobs that died first, for good.
--
-- KEYS  1 jobs      HASH id -> record
--       2 dead      ZSET id -> time of death, ms
--       3 facts     HASH id -> packed facts
--       4 errors    HASH id -> last error
--       5 progress  HASH id -> percent|text
--       6 memo      STRING of the lane
-- ARGV  1 number of the call
--       2 ms for which they have been dead at least
--       3 at most this many (1 to 250)
-- Returns how many, as text.
-- Cost  O(log dead) for each job.
--- @include check
--- @include memo
--- @include full
--- @include now
local jobs, dead, facts, errors, progress, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local number, age, limit = ARGV[1], tonumber(ARGV[2]), ARGV[3]

check_keys()

return once(memo, number, function()
  go_on_when_full(dead)
  local until_then = string.format('%.0f', now() - age)
  local ids = redis.call('ZRANGEBYSCORE', dead, '-inf', until_then, 'LIMIT', 0, limit)
  if #ids > 0 then
    redis.call('ZREM', dead, unpack(ids))
    for _, hash in ipairs({ jobs, facts, errors, progress }) do
      redis.call('HDEL', hash, unpack(ids))
    end
  end
  return tostring(#ids)
end)
