-- Says what Redis does with keys when its memory is full.
--
-- KEYS  1 a key of the shard, so that the master that has it is asked; neither read nor written
-- Returns the maxmemory-policy, such as noeviction; empty if Redis does not say.
-- Cost  O(1).
return string.match(redis.call('INFO', 'memory'), 'maxmemory_policy:([%w-]+)') or ''
