-- Reads what is known of the nodes.
--
-- KEYS  1 nodes     ZSET node -> expiry, ms
--       2 workers   HASH node -> workers|free
--       3 handlers  HASH node -> the names of the jobs it can run, a line each
--       4 paused    STRING, exists while the queue is paused
-- Returns { now ms, paused: 0 or 1, then for each live node: its name, workers|free or empty, names or empty }
-- Cost  O(nodes).
--- @include check
--- @include now
local nodes, workers, handlers, paused = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

check_keys()

local at = now()
local answer = { at, redis.call('EXISTS', paused) }
for _, node in ipairs(redis.call('ZRANGEBYSCORE', nodes, '(' .. string.format('%.0f', at), '+inf')) do
  answer[#answer + 1] = node
  answer[#answer + 1] = redis.call('HGET', workers, node) or ''
  answer[#answer + 1] = redis.call('HGET', handlers, node) or ''
end
return answer
