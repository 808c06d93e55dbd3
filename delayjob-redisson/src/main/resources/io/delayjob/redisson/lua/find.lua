-- Reads everything that is known about one job.
--
-- ARGV  1 id
-- Returns { } if there is no such job, else what include/describe.lua answers.
-- Cost  O(1).
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include now
--- @include state
--- @include describe
local id = ARGV[1]

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels

local code, score = state_of(id, (now()))
if not score then
  return {}
end
return describe(id, code, score)
