-- Reads the registry of nodes.
--
-- Returns { now ms, paused: 0 or 1, the most entries of the flow log or 0 if none is kept, how many it has, then for each live node: its name, workers=|free= or empty, names or empty }
-- Cost  O(nodes).
--- @keys paused nodes workers handlers
--- @include check
--- @include now
--- @include steps

check_keys()

local at = now()
local bound = open_log()
local answer = { at, redis.call('EXISTS', paused), bound or 0, bound and redis.call('XLEN', flow) or 0 }
for _, node in ipairs(redis.call('ZRANGEBYSCORE', nodes, '(' .. string.format('%.0f', at), '+inf')) do
  answer[#answer + 1] = node
  answer[#answer + 1] = redis.call('HGET', workers, node) or ''
  answer[#answer + 1] = redis.call('HGET', handlers, node) or ''
end
return answer
