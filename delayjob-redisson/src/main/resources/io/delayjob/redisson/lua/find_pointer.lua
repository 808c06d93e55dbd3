-- Reads the pointer of an id; see include/pointers.lua.
--
-- ARGV  1 id
-- Returns { its value }, or { } if there is none.
-- Cost  O(1).
--- @keys pointers
--- @include check
--- @include pointers

check_keys()
local value = redis.call('HGET', pointers, ARGV[1])
return read_pointer(value) and { value } or {}
