-- Reads the events after one of them.
--
-- ARGV  1 id of that one  2 how many at most
-- Returns { 1 if that one is still there and so none after it has been removed, else 0; id, kind, queue and JSON of each }.
-- Cost  O(events read).
--- @keys events
local after = ARGV[1]
local most = tonumber(ARGV[2])

local found = redis.call('XRANGE', events, after, '+', 'COUNT', most + 1)
local is_there = found[1] and found[1][1] == after
local answer = { is_there and 1 or 0 }
for i = is_there and 2 or 1, math.min(#found, is_there and most + 1 or most) do
  local fields = {}
  for f = 1, #found[i][2], 2 do
    fields[found[i][2][f]] = found[i][2][f + 1]
  end
  answer[#answer + 1] = found[i][1]
  answer[#answer + 1] = fields.kind or ''
  answer[#answer + 1] = fields.queue or ''
  answer[#answer + 1] = fields.data or ''
end
return answer
