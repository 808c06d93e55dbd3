-- Finds unfinished jobs by a mark, see include/index.lua. It answers about 2 MB at most.
--
-- ARGV  1 the mark
--       2 the most jobs to answer (1 to 200)
-- Returns { 1 if there may be others, else 0, then for each job what include/describe.lua answers }.
-- Cost  O(log marks) and O(1) for each job answered.
--- @keys index
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include now
--- @include valid
--- @include state
--- @include describe
--- @include marks
local mark, limit = ARGV[1], tonumber(ARGV[2])

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels

local at = now()

local answer, bytes = { 0 }, 0
local found = redis.call('ZRANGEBYLEX', index, '[' .. mark, '(' .. mark .. '\255', 'LIMIT', 0, limit + 1)
for n, member in ipairs(found) do
  local id = string.sub(member, #mark + 1)
  if n > limit or bytes > 2000000 then
    answer[1] = 1
    break
  end
  local code, score = state_of(id, at)
  local job = score and code ~= 'C' and code ~= 'O' and valid_id(id) and describe(id, code, score)
  -- The id may have been that of another job, which had the mark.
  if job and is_among(mark, marks_of(job[4]) or '') then
    for _, field in ipairs(job) do
      answer[#answer + 1] = field
      bytes = bytes + #field
    end
  end
end
return answer
