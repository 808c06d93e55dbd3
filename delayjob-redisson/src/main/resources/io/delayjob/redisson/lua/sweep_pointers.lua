-- Removes pointers whose jobs have ended, and reads some others that are old; see include/pointers.lua.
--
-- ARGV  1 cursor; 0 to begin
--       2 how many pointers to look at, about
--       then for each pointer to remove: id, and its value. A pointer that has changed since stays.
-- Returns { the cursor of the next call, 0 after the last, then for each pointer that is older than any that a submit shows: id, and its value }. What is not a
--         pointer is removed.
-- Cost  O(pointers looked at).
--- @keys pointers
--- @include check
--- @include now
--- @include pointers

check_keys()
for i = 3, #ARGV, 2 do
  if redis.call('HGET', pointers, ARGV[i]) == ARGV[i + 1] then
    redis.call('HDEL', pointers, ARGV[i])
  end
end
local at = now()
local page = redis.call('HSCAN', pointers, ARGV[1], 'COUNT', ARGV[2])
local answer = { page[1] }
for i = 1, #page[2], 2 do
  local id, pointer = page[2][i], page[2][i + 1]
  local _, _, millis = read_pointer(pointer)
  local since = tonumber(millis)
  if not since or since > at + OVER then
    redis.call('HDEL', pointers, id)
  elseif at - since > OVER then
    answer[#answer + 1] = id
    answer[#answer + 1] = pointer
  end
end
return answer
