-- Lets jobs whose attempt failed wait for the next one.
--
-- KEYS  1 reserved   ZSET id -> lease expiry, ms
--       2 waiting    ZSET id -> due, ms
--       3 facts      HASH id -> packed facts
--       4 errors     HASH id -> last error
--       5 ready      LIST of ids, the doorbell
--       6 watermark  STRING ms
--       7 memo       STRING of the lane
-- ARGV  1 number of the call; then for each job (at most 500)
--       id
--       token of the claim
--       backoff, ms
--       error
-- Returns one character for each job: 1 waits again, 0 the claim no longer holds it.
-- Cost  O(log waiting) for each job.
--- @include memo
--- @include full
--- @include now
--- @include facts
--- @include ring
local reserved, waiting, facts, errors, ready, watermark, memo =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local number = ARGV[1]

return once(memo, number, function()
  local at = now()
  go_on_when_full(reserved)
  local answer, changed = {}, {}
  for i = 2, #ARGV, 4 do
    local id, token, backoff, reason = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
    local packed = redis.call('HGET', facts, id)
    if owns(packed, token) then
      local fact = unpack_facts(packed)
      fact.token, fact.since, fact.node = '', '', ''
      redis.call('HSET', facts, id, pack_facts(fact))
      redis.call('HSET', errors, id, reason)
      redis.call('ZADD', waiting, string.format('%.0f', at + tonumber(backoff)), id)
      redis.call('ZREM', reserved, id)
      changed[id] = true
      answer[#answer + 1] = '1'
    else
      answer[#answer + 1] = '0'
    end
  end
  ring(waiting, ready, watermark, changed)
  return table.concat(answer)
end)
