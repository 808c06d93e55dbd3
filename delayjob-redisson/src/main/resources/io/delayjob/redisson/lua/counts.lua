-- Counts the jobs of a shard by state, and answers for how long the longest waiting one could have been handed out.
--
-- Returns { delayed, ready, reserved, dead, finished, paused: 0 or 1,
--           ms since the job that has waited longest was due or lost its lease, 0 if there is none,
--           ms since the earliest instant of a schedule came that no node has served, 0 if there is none,
--           how many keys are held back by a limit though a job of theirs is due, how many due jobs are,
--           then what include/unhandled.lua answers: names that no live node has a handler for, each followed by how many jobs wait }
-- Cost  O(log waiting), and for each of at most 100 names with hints O(log hints). With keys, also O(log keys) and the limits of at most 200 keys.
--- @keys dead finished paused instants
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include now
--- @include facts
--- @include handlers
--- @include hints
--- @include unhandled

check_keys()
local is_paused, packed_levels = unpack(redis.call('MGET', paused, levels), 1, 2)
--- @include know_levels

local at = now()
-- More milliseconds than have passed since 1970: the limit for a score that is not a valid time.
local FARTHEST = 1e15

local function overdue(first)
  return first and math.max(0, math.min(FARTHEST, at - tonumber(first))) or 0
end

local due = count_waiting(at)
local first_due = oldest_waiting()
local first_instant = redis.call('ZRANGE', instants, '0', '0', 'WITHSCORES')[2]
local left, unhandled = waits_for_handlers(at)
local held_count, limited = held_back()
return {
  count_waiting('+inf') - due,
  due,
  count_reserved(),
  redis.call('ZCARD', dead),
  redis.call('ZCARD', finished),
  is_paused and 1 or 0,
  math.max(overdue(first_due), overdue(first_reserved_until()), left),
  overdue(first_instant),
  held_count,
  limited,
  unpack(unhandled),
}
