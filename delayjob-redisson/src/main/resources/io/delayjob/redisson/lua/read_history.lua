-- Reads the history of queues.
--
-- ARGV  1 number of spans; seconds, slots and first slot to be read of each span; names of queues (at most 50)
-- Returns { now, ms; number of the span from 1, queue and text of each slot in which anything happened }. A text may be of an earlier
-- round of the ring, which its number says.
-- Cost  O(slots read) for each queue.
--- @keys history
--- @include now
--- @include slots
local spans = spans_at(2, tonumber(ARGV[1]), 3)

local at = now()
local answer = { at }

local function read(number, span, queue)
  local last = slot_at(span, at)
  -- A clock that was set back must not hide what is counted from then on.
  local from = span.from > last and 0 or span.from
  local fields = {}
  for slot = math.max(from, last - span.slots + 1), last do
    fields[#fields + 1] = slot_field(span, slot, queue)
  end
  for _, text in ipairs(redis.call('HMGET', history, unpack(fields))) do
    if text then
      answer[#answer + 1] = number
      answer[#answer + 1] = queue
      answer[#answer + 1] = text
    end
  end
end

for i = 2 + 3 * #spans, #ARGV do
  for number, span in ipairs(spans) do
    read(number, span, ARGV[i])
  end
end
return answer
