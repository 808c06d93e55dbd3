-- Notes that a node declares schedules now, or that none does, because they were put otherwise. Names without a schedule are left out. Safe to repeat.
--
-- ARGV  1 1 if a node declares them, 0 if none does
--       then names (at most 200)
-- Returns 1.
-- Cost  O(1) for each name.
--- @keys fires declared
--- @include check
--- @include now

check_keys()

local at = now()
for i = 2, #ARGV do
  if ARGV[1] == '1' and redis.call('HEXISTS', fires, ARGV[i]) == 1 then
    redis.call('HSET', declared, ARGV[i], at)
  else
    redis.call('HDEL', declared, ARGV[i])
  end
end
return 1
