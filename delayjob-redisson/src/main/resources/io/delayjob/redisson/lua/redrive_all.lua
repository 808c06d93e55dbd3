-- Makes the jobs that died first ready again, with their attempts counted from the start.
--
-- KEYS  1 dead       ZSET id -> time of death, ms
--       2 waiting    ZSET id -> due, ms
--       3 facts      HASH id -> packed facts
--       4 ready      LIST of ids, the doorbell
--       5 watermark  STRING ms
--       6 memo       STRING of the lane
-- ARGV  1 number of the call
--       2 at most this many (1 to 500)
-- Returns how many.
-- Cost  O(log dead) for each job.
--- @include memo
--- @include now
--- @include facts
--- @include ring
--- @include revive
local dead, waiting, facts, ready, watermark, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local number, limit = ARGV[1], tonumber(ARGV[2])

return once(memo, number, function()
  local at = now()
  local ids = redis.call('ZRANGE', dead, 0, limit - 1)
  local changed = {}
  for _, id in ipairs(ids) do
    revive(dead, waiting, facts, id, at)
    changed[id] = true
  end
  ring(waiting, ready, watermark, changed)
  return tostring(#ids)
end)
