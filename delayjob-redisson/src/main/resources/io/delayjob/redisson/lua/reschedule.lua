-- Gives jobs that wait a new due time.
--
-- KEYS  1 waiting    ZSET id -> due, ms
--       2 ready      LIST of ids, the doorbell
--       3 watermark  STRING ms
--       4 memo       STRING of the lane
-- ARGV  1 number of the call; then for each job (at most 500)
--       id
--       delay, ms from now
-- Returns one character for each job: 1 changed, 0 it does not wait.
-- Cost  O(log waiting) for each job.
--- @include memo
--- @include full
--- @include now
--- @include ring
local waiting, ready, watermark, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local number = ARGV[1]

return once(memo, number, function()
  local at = now()
  go_on_when_full(waiting)
  local answer, changed = {}, {}
  for i = 2, #ARGV, 2 do
    local id, delay = ARGV[i], ARGV[i + 1]
    if redis.call('ZSCORE', waiting, id) then
      redis.call('ZADD', waiting, 'XX', string.format('%.0f', at + tonumber(delay)), id)
      changed[id] = true
      answer[#answer + 1] = '1'
    else
      answer[#answer + 1] = '0'
    end
  end
  ring(waiting, ready, watermark, changed)
  return table.concat(answer)
end)
