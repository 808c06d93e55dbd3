-- Adds what happened in queues just now to their history. Not repeated: a second call would add it twice.
--
-- ARGV  1 how many queues there may be  2 number of spans; seconds and slots of each span; name and counts of each queue (at most 200).
--       Counts are name=number|...: they are added to those of the slot, but a number whose name begins with a capital takes the place of
--       the one before
-- Returns the number of queues that were counted: queues beyond the limit are not, until one has had no counts for as long as the
-- longest span.
-- Cost  O(spans * log queues) for each queue.
--- @keys history counted
--- @include now
--- @include slots
local most = tonumber(ARGV[1])
local spans = spans_at(3, tonumber(ARGV[2]), 2)

local at = now()
local longest = 0
for _, span in ipairs(spans) do
  longest = math.max(longest, 1000 * span.seconds * span.slots)
end

local function sum(stored, slot, added)
  local order, numbers = {}, {}
  local function take(text)
    for name, number in string.gmatch(text, '(%w+)=(%d+)') do
      if not numbers[name] then
        order[#order + 1] = name
      end
      local is_sum = string.match(name, '^%l')
      numbers[name] = (is_sum and numbers[name] or 0) + tonumber(number)
    end
  end
  local number, counts = string.match(stored or '', '^slot=(%d+)|(.*)$')
  take(tonumber(number) == slot and counts or '')
  take(added)
  local text = { string.format('slot=%.0f', slot) }
  for i, name in ipairs(order) do
    text[i + 1] = string.format('%s=%.0f', name, numbers[name])
  end
  return table.concat(text, '|')
end

local function add(queue, counts)
  for _, span in ipairs(spans) do
    local slot = slot_at(span, at)
    local field = slot_field(span, slot, queue)
    redis.call('HSET', history, field, sum(redis.call('HGET', history, field), slot, counts))
  end
  redis.call('ZADD', counted, at, queue)
end

local function forget(queue)
  for _, span in ipairs(spans) do
    local fields = {}
    for slot = 0, span.slots - 1 do
      fields[slot + 1] = slot_field(span, slot, queue)
    end
    redis.call('HDEL', history, unpack(fields))
  end
  redis.call('ZREM', counted, queue)
end

for _, queue in ipairs(redis.call('ZRANGEBYSCORE', counted, '-inf', at - longest, 'LIMIT', 0, 5)) do
  forget(queue)
end
local done = 0
for i = 3 + 2 * #spans, #ARGV, 2 do
  if redis.call('ZSCORE', counted, ARGV[i]) or redis.call('ZCARD', counted) < most then
    add(ARGV[i], ARGV[i + 1])
    done = done + 1
  end
end
redis.call('PEXPIRE', history, longest + 3600000)
redis.call('PEXPIRE', counted, longest + 3600000)
return done
