-- Gives jobs that wait a new due time.
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
-- ARGV  1 number of the call; then for each job (at most 250)
--       id
--       delay, ms from now
-- Returns one letter for each job, see include/state.lua.
-- Cost  O(log waiting) for each job.
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include facts
--- @include state
--- @include due
--- @include ring
local waiting, reserved, dead, facts, finished, outcomes, ready, watermark, memo = unpack(KEYS)
local number = ARGV[1]

check_keys()

return once(memo, number, function()
  local at = now()
  go_on_when_full(waiting)
  local answer, changed = {}, {}
  for i = 2, #ARGV, 2 do
    local id, delay = ARGV[i], ARGV[i + 1]
    local letter = state_of(waiting, reserved, dead, finished, outcomes, id, at)
    if letter == 'D' or letter == 'Y' then
      set_due(waiting, facts, id, at + tonumber(delay))
      changed[id] = true
    else
      letter = string.lower(letter)
    end
    answer[#answer + 1] = letter
  end
  ring(waiting, ready, watermark, changed)
  return table.concat(answer)
end)
