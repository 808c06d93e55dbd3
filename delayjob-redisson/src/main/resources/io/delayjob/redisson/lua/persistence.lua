-- Says whether Redis writes a log of what it changes.
--
-- KEYS  1 a key of the shard, so that the master that has it is asked; neither read nor written
-- Returns 1 if it does, 0 if it does not; empty if Redis does not say.
-- Cost  O(1).
return string.match(redis.call('INFO', 'persistence'), 'aof_enabled:(%d)') or ''
