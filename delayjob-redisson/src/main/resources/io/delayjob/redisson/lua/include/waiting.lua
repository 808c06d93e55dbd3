--- @keys waiting
-- The jobs that wait: the set `waiting` contains the id of each, with the time from which claims take it, ms. That is its due time; or
-- the time of its next offer, if nodes could not run it or passed it on. No other file names this key, so the order in which claims take
-- waiting jobs is decided here: by this time, and jobs with the same time by the bytes of their ids.
--
-- add_waiting(time, id, ...): makes jobs wait until these times, ms as text. A job that already waits gets the new time.
local function add_waiting(...)
  redis.call('ZADD', waiting, ...)
end

-- remove_waiting(id, ...): removes jobs; they need not wait.
local function remove_waiting(...)
  redis.call('ZREM', waiting, ...)
end

-- waits_until(id): the job's time as text; false if it does not wait.
local function waits_until(id)
  return checked('ZSCORE', waiting, id)
end

-- first_waiting(): the id and time of the job that is taken next; nil if none waits.
local function first_waiting()
  local first = redis.call('ZRANGE', waiting, '0', '0', 'WITHSCORES')
  return first[1], first[2]
end

-- due_waiting(by, most, skip, after): ids and times, one after the other, of the jobs that are taken next and have a time up to `by`: at
-- most `most`. It leaves out the first `skip`, and jobs with a time up to `after`, if these are given.
local function due_waiting(by, most, skip, after)
  local from = after and string.format('(%.0f', after) or '-inf'
  return most > 0 and redis.call('ZRANGEBYSCORE', waiting, from, by, 'WITHSCORES', 'LIMIT', skip or 0, most) or {}
end

-- count_waiting(by): how many jobs have a time up to `by`.
local function count_waiting(by)
  return checked('ZCOUNT', waiting, '-inf', by)
end

-- page_of_waiting(...): see include/page.lua.
local function page_of_waiting(...)
  return page(waiting, ...)
end
