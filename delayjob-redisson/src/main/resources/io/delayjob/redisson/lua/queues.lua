-- Reads the names of queues that jobs were submitted to or taken from.
--
-- KEYS  1 queues  ZSET queue -> when a node named it last, ms
-- Returns the names, at most 10,000.
-- Cost  O(queues), of which there are at most 10,250.
local queues = KEYS[1]

return redis.call('ZRANGE', queues, -10000, -1)
