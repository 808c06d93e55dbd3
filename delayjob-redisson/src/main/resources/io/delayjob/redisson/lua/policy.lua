-- Answers what Redis does when its memory is full.
--
-- Returns the maxmemory-policy, such as noeviction; empty if Redis does not reveal it.
-- Cost  O(1).
--- @keys jobs
return string.match(redis.call('INFO', 'memory'), 'maxmemory_policy:([%w-]+)') or ''
