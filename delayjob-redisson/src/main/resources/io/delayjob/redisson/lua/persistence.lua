-- Answers whether Redis writes an append-only file.
--
-- Returns 1 if it does, 0 if it does not; empty if Redis does not reveal it.
-- Cost  O(1).
--- @keys jobs
return string.match(redis.call('INFO', 'persistence'), 'aof_enabled:(%d)') or ''
