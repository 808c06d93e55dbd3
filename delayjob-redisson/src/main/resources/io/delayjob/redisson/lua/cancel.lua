-- Removes jobs that wait.
--
-- KEYS  1 jobs     HASH id -> record
--       2 waiting  ZSET id -> due, ms
--       3 facts    HASH id -> packed facts
--       4 errors   HASH id -> last error
--       5 memo     STRING of the lane
-- ARGV  1 number of the call; then the ids (at most 500)
-- Returns one character for each job: 1 removed, 0 it does not wait.
-- Cost  O(log waiting) for each job.
--- @include memo
local jobs, waiting, facts, errors, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local number = ARGV[1]

return once(memo, number, function()
  local answer = {}
  for i = 2, #ARGV do
    local removed = redis.call('ZREM', waiting, ARGV[i])
    if removed == 1 then
      redis.call('HDEL', jobs, ARGV[i])
      redis.call('HDEL', facts, ARGV[i])
      redis.call('HDEL', errors, ARGV[i])
    end
    answer[#answer + 1] = tostring(removed)
  end
  return table.concat(answer)
end)
