-- Gives jobs up: record and reason are kept for a redrive.
--
-- KEYS  1 reserved  ZSET id -> lease expiry, ms
--       2 dead      ZSET id -> time of death, ms
--       3 facts     HASH id -> packed facts
--       4 errors    HASH id -> last error
--       5 memo      STRING of the lane
-- ARGV  1 number of the call; then for each job (at most 500)
--       id
--       token of the claim
--       reason
-- Returns one character for each job: 1 dead, 0 the claim no longer holds it.
-- Cost  O(log dead) for each job.
--- @include memo
--- @include full
--- @include now
--- @include facts
local reserved, dead, facts, errors, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local number = ARGV[1]

return once(memo, number, function()
  local at = now()
  go_on_when_full(reserved)
  local answer = {}
  for i = 2, #ARGV, 3 do
    local id, token, reason = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    local packed = redis.call('HGET', facts, id)
    if owns(packed, token) then
      local fact = unpack_facts(packed)
      fact.token, fact.since, fact.node = '', '', ''
      redis.call('HSET', facts, id, pack_facts(fact))
      redis.call('HSET', errors, id, reason)
      redis.call('ZADD', dead, string.format('%.0f', at), id)
      redis.call('ZREM', reserved, id)
      answer[#answer + 1] = '1'
    else
      answer[#answer + 1] = '0'
    end
  end
  return table.concat(answer)
end)
