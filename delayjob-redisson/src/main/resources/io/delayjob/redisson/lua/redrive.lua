-- Makes dead jobs ready again, with their attempts counted from the start.
--
-- KEYS  1 waiting    ZSET id -> due, ms
--       2 reserved   ZSET id -> lease expiry, ms
--       3 dead       ZSET id -> time of death, ms
--       4 facts      HASH id -> packed facts
--       5 finished   ZSET id -> its end, ms
--       6 outcomes   HASH id -> how it ended
--       7 ready      LIST of ids, the doorbell
--       8 watermark  STRING ms
--       9 memo       STRING of the lane
-- ARGV  1 number of the call; then the ids (at most 250)
-- Returns one letter for each job, see include/state.lua.
-- Cost  O(log dead) for each job.
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include facts
--- @include state
--- @include ring
--- @include revive
local waiting, reserved, dead, facts, finished, outcomes, ready, watermark, memo = unpack(KEYS)
local number = ARGV[1]

check_keys()

return once(memo, number, function()
  local at = now()
  go_on_when_full(dead)
  local answer, changed = {}, {}
  for i = 2, #ARGV do
    local id = ARGV[i]
    local letter = state_of(waiting, reserved, dead, finished, outcomes, id, at)
    if letter == 'X' then
      revive(dead, waiting, facts, id, at)
      changed[id] = true
    else
      letter = string.lower(letter)
    end
    answer[#answer + 1] = letter
  end
  ring(waiting, ready, watermark, changed)
  return table.concat(answer)
end)
