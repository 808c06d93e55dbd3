-- Removes jobs that are done.
--
-- KEYS  1 jobs      HASH id -> record
--       2 reserved  ZSET id -> lease expiry, ms
--       3 facts     HASH id -> packed facts
--       4 errors    HASH id -> last error
--       5 memo      STRING of the lane
-- ARGV  1 number of the call; then for each job (at most 500)
--       id
--       token of the claim
-- Returns one character for each job: 1 removed, 0 the claim no longer holds it.
-- Cost  O(log reserved) for each job.
--- @include memo
--- @include full
--- @include facts
local jobs, reserved, facts, errors, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local number = ARGV[1]

return once(memo, number, function()
  go_on_when_full(reserved)
  local ids = {}
  for i = 2, #ARGV, 2 do
    ids[#ids + 1] = ARGV[i]
  end
  local packed = redis.call('HMGET', facts, unpack(ids))
  local answer, done = {}, {}
  for n, id in ipairs(ids) do
    local held = owns(packed[n], ARGV[2 * n + 1])
    answer[n] = held and '1' or '0'
    if held then
      done[#done + 1] = id
    end
  end
  if #done > 0 then
    redis.call('ZREM', reserved, unpack(done))
    redis.call('HDEL', jobs, unpack(done))
    redis.call('HDEL', facts, unpack(done))
    redis.call('HDEL', errors, unpack(done))
  end
  return table.concat(answer)
end)
