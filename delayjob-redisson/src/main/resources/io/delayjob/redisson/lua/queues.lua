-- Reads the names of the queues that jobs are submitted to or taken from.
--
-- Returns the names, at most 10,000.
-- Cost  O(queues), of which there are at most 10,200.
--- @keys queues

return redis.call('ZRANGE', queues, -10000, -1)
