-- Makes dead jobs ready again, with their attempts counted from the start.
--
-- KEYS  1 dead       ZSET id -> time of death, ms
--       2 waiting    ZSET id -> due, ms
--       3 facts      HASH id -> packed facts
--       4 ready      LIST of ids, the doorbell
--       5 watermark  STRING ms
--       6 memo       STRING of the lane
-- ARGV  1 number of the call; then the ids (at most 500)
-- Returns one character for each job: 1 ready, 0 it was not dead.
-- Cost  O(log dead) for each job.
--- @include memo
--- @include now
--- @include facts
--- @include ring
--- @include revive
local dead, waiting, facts, ready, watermark, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local number = ARGV[1]

return once(memo, number, function()
  local at = now()
  local answer, changed = {}, {}
  for i = 2, #ARGV do
    local revived = revive(dead, waiting, facts, ARGV[i], at)
    changed[ARGV[i]] = revived == 1
    answer[#answer + 1] = tostring(revived)
  end
  ring(waiting, ready, watermark, changed)
  return table.concat(answer)
end)
