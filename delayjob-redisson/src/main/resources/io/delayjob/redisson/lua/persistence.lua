-- Answers whether Redis writes a log of what it changes.
--
-- Returns 1 if it does, 0 if it does not; empty if Redis does not tell.
-- Cost  O(1).
--- @keys jobs
return string.match(redis.call('INFO', 'persistence'), 'aof_enabled:(%d)') or ''
