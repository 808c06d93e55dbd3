-- Keeps a node in the registry, elects the holder, and tells the holder which doorbells to arrange. Safe to repeat: the
-- node says up to where its doorbells are arranged, and an id named twice rings twice.
--
-- KEYS  1 waiting    ZSET id -> due, ms
--       2 ready      LIST of ids, the doorbell
--       3 watermark  STRING ms: everything due up to here has had its doorbell arranged
--       4 holder     STRING node, with expiry
--       5 busy       STRING, with expiry: takers poll
--       6 nodes      ZSET node -> expiry, ms
-- ARGV  1 node
--       2 ms the node stays registered
--       3 ms the holder holds
--       4 ms of horizon
--       5 how many jobs due within the horizon are still quiet (1 to 500)
--       6 ms up to which this node has arranged doorbells, 0 if none
-- Returns { live nodes, holder: 0 another 1 this one, watermark ms, then for each doorbell: id, ms from now }
-- Cost  O(log waiting + doorbells + nodes that died).
--- @include now
--- @include full
local waiting, ready, watermark, holder, busy, nodes = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local node, stay, hold, horizon, quiet, arranged =
  ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

local at = now()
go_on_when_full(nodes)
redis.call('ZADD', nodes, string.format('%.0f', at + stay), node)
redis.call('ZREMRANGEBYSCORE', nodes, '-inf', at)
local live = redis.call('ZCARD', nodes)
local current = redis.call('GET', holder)
if current and current ~= node then
  return { live, 0, 0 }
end
redis.call('SET', holder, node, 'PX', hold)
-- Rings that nobody hears must not pile up.
redis.call('LTRIM', ready, -1000, -1)

local upto = at + horizon
if redis.call('ZCOUNT', waiting, '-inf', upto) > quiet then
  redis.call('SET', busy, node, 'PX', hold)
  return { live, 1, arranged }
end
redis.call('DEL', busy)
redis.call('SET', watermark, string.format('%.0f', upto), 'PX', 2 * horizon)
local answer = { live, 1, upto }
local due = redis.call('ZRANGEBYSCORE', waiting, '(' .. string.format('%.0f', arranged), upto, 'WITHSCORES')
for i = 1, #due, 2 do
  answer[#answer + 1] = due[i]
  answer[#answer + 1] = math.max(0, tonumber(due[i + 1]) - at)
end
return answer
