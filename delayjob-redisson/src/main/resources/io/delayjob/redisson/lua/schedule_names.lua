-- Lists the names of all schedules, a part at a time. A schedule that is there all the time is listed at least once.
--
-- ARGV  1 the cursor of the part: 0 of the first, later the one that the part before answered
--       2 about how many names to answer
-- Returns the cursor of the next part, 0 after the last, and the names.
-- Cost  O(names).
--- @keys fires
--- @include check
local cursor, count = ARGV[1], ARGV[2]

check_keys()

local page = redis.call('HSCAN', fires, cursor, 'COUNT', count)
local answer = { page[1] }
for i = 1, #page[2], 2 do
  answer[#answer + 1] = page[2][i]
end
return answer
