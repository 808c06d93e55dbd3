-- Begins a restore, so that no other one can put jobs back from now on. Safe to repeat.
--
-- ARGV  1 the term of the restore: hexadecimal, never used before
-- Returns 1.
-- Cost  O(1).
--- @keys restores
local term = ARGV[1]

local known = redis.call('MGET', restores)[1] or ''
if string.sub(known, 1, #term + 1) ~= term .. ':' then
  -- A removal comes first: see include/full.lua.
  redis.call('DEL', restores)
  redis.call('SET', restores, term .. ':0')
end
return 1
