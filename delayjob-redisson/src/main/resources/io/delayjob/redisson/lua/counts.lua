-- Counts the jobs of a shard by state, and answers for how long the longest waiting one could have been handed out.
--
-- Returns { delayed, ready, reserved, dead, finished, paused: 0 or 1,
--           ms since the job that has waited longest was due or lost its lease, 0 if there is none,
--           then what include/unhandled.lua answers: names that no live node has a handler for, each followed by how many jobs wait }
-- Cost  O(log waiting), and for each of at most 100 names with hints O(log hints).
--- @keys waiting reserved dead finished paused
--- @include check
--- @include now
--- @include facts
--- @include handlers
--- @include hints
--- @include unhandled

check_keys()

local at = now()
-- More milliseconds than have passed since 1970: the limit for a score that is not a valid time.
local FARTHEST = 1e15

local function overdue(ids)
  local first = redis.call('ZRANGE', ids, 0, 0, 'WITHSCORES')[2]
  return first and math.max(0, math.min(FARTHEST, at - tonumber(first))) or 0
end

local due = redis.call('ZCOUNT', waiting, '-inf', at)
local left, unhandled = waits_for_handlers(at)
return {
  redis.call('ZCARD', waiting) - due,
  due,
  redis.call('ZCARD', reserved),
  redis.call('ZCARD', dead),
  redis.call('ZCARD', finished),
  redis.call('EXISTS', paused),
  math.max(overdue(waiting), overdue(reserved), left),
  unpack(unhandled),
}
