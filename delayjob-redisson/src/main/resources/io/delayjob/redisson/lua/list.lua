-- Searches the jobs of one state, in the order of their score and id. Examines at most 200 jobs and about 2 MB.
--
-- ARGV  1 code of the state, see include/state.lua
--       2 what follows the opening fields in the records of wanted jobs, or empty for all
--       3 the beginning of wanted ids, or empty for all
--       4 the score to continue after, or empty to start at the first job
--       5 the id to continue after; an invalid one in the form of an earlier answer
--       6 the most jobs to answer (1 to 200)
-- Returns { the score and id of the last job examined, both empty if no job follows, then for each job what
--           include/describe.lua answers }. The score is a whole number; an invalid id is written as \1 and hexadecimal.
-- Cost  O(log jobs of the state) for each job examined, at most 200.
--- @keys dead finished outcomes
--- @include check
--- @include now
--- @include valid
--- @include page
--- @include levels
--- @include reserved
--- @include waiting
--- @include describe
local MOST_LOOKED_AT = 200
local code, mark, prefix, after, after_id, limit = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels

local at = now()
local function written(id)
  return valid_id(id) and id or '\1' .. string.gsub(id, '.', function(c)
    return string.format('%02x', string.byte(c))
  end)
end

local function read(text)
  local hex = string.match(text, '^\1(%x*)$')
  return hex and string.gsub(hex, '%x%x', function(pair)
    return string.char(tonumber(pair, 16))
  end) or text
end

local function page_of_state(...)
  if code == 'D' or code == 'Y' then
    return page_of_waiting(code == 'D' and at, ...)
  elseif code == 'R' then
    return page_of_reserved(...)
  elseif code == 'X' then
    return page(dead, 0, ...)
  end
  return page(finished, 0, ...)
end

local function ended_so(id)
  local ended = string.sub(redis.call('HGET', outcomes, id) or '', 1, 7) == 'state=O' and 'O' or 'C'
  return code == ended or code ~= 'C' and code ~= 'O'
end

local function marked(record)
  local behind = string.match(record, '^{"v":1,"at":%d+,()')
  return mark == '' or behind and string.sub(record, behind, behind + #mark - 1) == mark
end

local answer = { '', '' }
local found, bytes = 0, 0
local looked = page_of_state(after, (read(after_id)), MOST_LOOKED_AT + 1)
for i = 1, #looked, 2 do
  local id, score = looked[i], looked[i + 1]
  if code == 'Y' and tonumber(score) > at then
    break
  end
  if found == limit or bytes > 2000000 or i > 2 * MOST_LOOKED_AT then
    answer[1], answer[2] = whole(looked[i - 1]), written(looked[i - 2])
    break
  end
  if string.sub(id, 1, #prefix) == prefix and ended_so(id) then
    local job = describe(id, code, score)
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
