-- Looks again at some of the keys that limits hold back, after limits have changed.
--
-- ARGV  1 the most keys (1 to 200)
-- Returns 1 if there are more, else 0.
-- Cost  O(log keys) for each key.
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include now
--- @include page
--- @include reconsider

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels

return reconsider(tonumber(ARGV[1])) and 1 or 0
