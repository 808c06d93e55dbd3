--- @keys reserved
-- The jobs that are handed out: the set `reserved` contains the id of each, with the time at which its lease ends, ms. No other file names
-- this key.
--
-- add_reserved(time, id, ...): gives jobs leases until these times, ms as text.
local function add_reserved(...)
  redis.call('ZADD', reserved, ...)
end

-- extend_reserved(time, id): the same, but never shortens a lease.
local function extend_reserved(time, id)
  redis.call('ZADD', reserved, 'GT', time, id)
end

-- remove_reserved(id, ...): removes jobs; they need not be reserved.
local function remove_reserved(...)
  redis.call('ZREM', reserved, ...)
end

-- reserved_until(id): when the job's lease ends, as text; false if it is not reserved.
local function reserved_until(id)
  return checked('ZSCORE', reserved, id)
end

-- first_reserved_until(): when the first lease ends; nil if no job is reserved.
local function first_reserved_until()
  return redis.call('ZRANGE', reserved, '0', '0', 'WITHSCORES')[2]
end

-- due_reserved(by, most, skip): ids and times, one after the other, of the jobs whose leases end first, if they end by then: at most
-- `most`, without the first `skip` if that is given.
local function due_reserved(by, most, skip)
  return most > 0 and redis.call('ZRANGEBYSCORE', reserved, '-inf', by, 'WITHSCORES', 'LIMIT', skip or 0, most) or {}
end

-- count_reserved(): how many jobs are reserved.
local function count_reserved()
  return redis.call('ZCARD', reserved)
end

-- page_of_reserved(after, after_id, most): see include/page.lua.
local function page_of_reserved(...)
  return page(reserved, 0, ...)
end

-- know_lanes(ids, packed): tells the facts of reserved jobs that a script has read already; nil in a shard without keys.
local know_lanes
