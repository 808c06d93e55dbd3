-- Gives jobs back without spending an attempt.
--
-- KEYS  1 reserved   ZSET id -> lease expiry, ms
--       2 waiting    ZSET id -> due, ms
--       3 facts      HASH id -> packed facts
--       4 ready      LIST of ids, the doorbell
--       5 watermark  STRING ms
--       6 memo       STRING of the lane
-- ARGV  1 number of the call; then for each job (at most 500)
--       id
--       token of the claim
--       ms from now because this node cannot run the job, or empty to wait with the due time it had
-- Returns one character for each job: 1 waits again, 0 the claim no longer holds it.
-- Cost  O(log waiting) for each job.
--- @include memo
--- @include full
--- @include now
--- @include facts
--- @include ring
local reserved, waiting, facts, ready, watermark, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local number = ARGV[1]

return once(memo, number, function()
  local at = now()
  go_on_when_full(reserved)
  local answer, changed = {}, {}
  for i = 2, #ARGV, 3 do
    local id, token, delay = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    local packed = redis.call('HGET', facts, id)
    if owns(packed, token) then
      local fact = unpack_facts(packed)
      local due = fact.due ~= '' and fact.due or string.format('%.0f', at)
      if delay ~= '' then
        due = string.format('%.0f', at + tonumber(delay))
        fact.since = fact.since ~= '' and fact.since or string.format('%.0f', at)
      end
      fact.token, fact.node, fact.attempt = '', '', fact.attempt - 1
      redis.call('HSET', facts, id, pack_facts(fact))
      redis.call('ZADD', waiting, due, id)
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
