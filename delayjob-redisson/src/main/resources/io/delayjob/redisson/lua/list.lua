-- Looks at jobs of one state, in the order of their score and id: at most 500 of them and about 2 MB.
--
-- KEYS  1 place     ZSET id -> score: waiting, reserved, dead or finished, where jobs of that state are
--       2 jobs      HASH id -> record
--       3 facts     HASH id -> packed facts
--       4 errors    HASH id -> last error
--       5 progress  HASH id -> percent|text
--       6 archive   HASH id -> record of a finished job
--       7 outcomes  HASH id -> how it ended
-- ARGV  1 letter of the state, see include/state.lua
--       2 what the record has behind its opening fields if it is wanted, or empty
--       3 what the id begins with if it is wanted, or empty
--       4 look behind this score, or empty to look from the start
--       5 and this id
--       6 at most this many jobs (1 to 500)
-- Returns { the score and the id looked at last, both empty if there is nothing behind, then for each job what
--           include/describe.lua says }
-- Cost  O(log place) for each job looked at, at most 500.
--- @include now
--- @include seek
--- @include describe
local place, outcomes = KEYS[1], KEYS[7]
local letter, mark, prefix, after, after_id, limit = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local hashes = { unpack(KEYS, 2) }

local at = now()
local first = after == '' and 0 or seek(place, after, after_id)
if letter == 'D' then
  first = math.max(first, redis.call('ZCOUNT', place, '-inf', at))
end

local function ended_so(id)
  local ended = string.sub(redis.call('HGET', outcomes, id) or '', 1, 1) == 'O' and 'O' or 'C'
  return letter == ended or letter ~= 'C' and letter ~= 'O'
end

local function marked(record)
  local behind = string.match(record, '^{"v":1,"at":%d+,()')
  return mark == '' or behind and string.sub(record, behind, behind + #mark - 1) == mark
end

local answer = { '', '' }
local found, bytes = 0, 0
local looked = redis.call('ZRANGE', place, first, first + 500, 'WITHSCORES')
for i = 1, #looked, 2 do
  local id, score = looked[i], looked[i + 1]
  if letter == 'Y' and tonumber(score) > at then
    break
  end
  if found == limit or bytes > 2000000 or i > 1000 then
    answer[1], answer[2] = looked[i - 1], looked[i - 2]
    break
  end
  if string.sub(id, 1, #prefix) == prefix and ended_so(id) then
    local job = describe(hashes, id, letter, score)
    for field = 4, #job do
      bytes = bytes + #job[field]
    end
    if marked(job[4]) then
      found = found + 1
      for _, field in ipairs(job) do
        answer[#answer + 1] = field
      end
    end
  end
end
return answer
