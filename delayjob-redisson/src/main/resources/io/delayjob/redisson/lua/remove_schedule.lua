-- Removes a schedule. Its occurrences are jobs of their own and stay. Safe to repeat.
--
-- ARGV  1 name
-- Returns 1, or 0 if there is none.
-- Cost  O(log schedules).
--- @keys schedules fires instants decisions
--- @include check

check_keys()

redis.call('ZREM', instants, ARGV[1])
redis.call('HDEL', decisions, ARGV[1])
redis.call('HDEL', fires, ARGV[1])
return redis.call('HDEL', schedules, ARGV[1])
