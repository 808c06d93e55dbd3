-- The format of the history. It has spans, such as "the last four hours in minutes"; each is a ring of slots for each queue. The field of a
-- slot is seconds:place:queue. Its value is slot=number|name=number|...: the number of the slot since 1970, so that what an earlier round
-- of the ring left is known as such, and what was counted.

-- Reads count spans from the arguments, each as its seconds, its slots and further numbers.
local function spans_at(first, count, numbers)
  local spans = {}
  for i = 1, count do
    local at = first + (i - 1) * numbers
    spans[i] = { seconds = tonumber(ARGV[at]), slots = tonumber(ARGV[at + 1]), from = tonumber(ARGV[at + 2]) }
  end
  return spans
end

local function slot_at(span, at)
  return math.floor(at / (1000 * span.seconds))
end

local function slot_field(span, slot, queue)
  return string.format('%d:%d:%s', span.seconds, slot % span.slots, queue)
end
