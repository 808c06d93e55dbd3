-- Keeps a node in the registry, elects the holder, and tells the holder which job is due next. Safe to repeat, because the node
-- sends up to which due time it was told. The holder's call also removes some expired windows and finished jobs, and repairs jobs
-- that are in none of the sets.
--
-- ARGV  1 node
--       2 ms for which the node stays registered; 0 to register no node
--       3 ms for which the node is the holder
--       4 ms ahead for which the holder is told of jobs (the horizon)
--       5 the most jobs due within the horizon in a quiet queue (1 to 200)
--       6 due time, ms, up to which this node was told of the next job; 0 if never
--       7 workers=|free=, as it is stored
--       8 = and the names of the node's jobs, one per line; or empty to keep those it sent before
--       9 ms for which finished jobs are kept
--      10 how many finished jobs are kept
--      11 lease, ms, for jobs without one of their own
--      12 ms when the data began, as this node's last feed was told; 0 if it has not fed
--      13 ms of that feed; 0 if it has not fed
--      14 ms until which that feed registered this node; 0 if it has not fed
--      15 and 16: the limits by this node's settings, see include/declare_limits.lua
--      17 the version of this node's data of time zones; empty if that does not matter
--      18 ms for which a version counts after a feed of a node that has it
-- Returns { live nodes, names known: 0 or 1, mixed: 0 or 1, holder: 0 another 1 this one, watermark ms,
--           ms when the data began, 0 if no node is registered, now ms, ms by which this node's entry in the registry is older than
--           the one that it made, so that Redis has lost what was written last; and for the holder, ms until the next instant of a
--           schedule, -1 if there is none; and if a job is due up to the watermark that it was not told of, the id of the first and its
--           due time, ms from now; for another node, the version of data of time zones that a live node has, if that is later than its own: where there
--           are schedules, such a node becomes the holder, because it computes their instants }. The fleet is mixed if live nodes have different names, or if there are hints.
-- Cost  O(log waiting + nodes + at most 100 windows and 200 finished jobs that are over
--       + 80 jobs and 100 hints looked at).
--- @keys ready watermark holder busy nodes hints zones
--- @include check
--- @include levels
--- @include reserved
--- @include page
--- @include waiting
--- @include now
--- @include steps
--- @include register
--- @include expire
--- @include prune
--- @include facts
--- @include exists
--- @include use_level
--- @include use_key
--- @include dead
--- @include repair
--- @include repair_index
--- @include declare_limits
--- @include handlers
--- @include hints
--- @include pulse
--- @include beat
--- @include instants
local node, stay, hold, horizon, quiet, arranged =
  ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local load, names, time, count, lease = ARGV[7], ARGV[8], tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local known_by, fed, registered = tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14])

-- The pulse comes before the check of the other keys, because claims depend on it whatever is in those keys. A feed that registers
-- no node is not a sign of life.
check_key(nodes, 'zset')
local at = now()
-- A removal comes first: see include/full.lua.
redis.call('ZREM', nodes, '')
local born = stay > 0 and beat(at, known_by, fed) or 0
check_keys()
local current, packed_levels, packed_zones = unpack(redis.call('MGET', holder, levels, zones), 1, 3)
--- @include know_levels
open_log()

-- A holder whose time does not end soon was not set by a node.
local function holds()
  local left = redis.call('PTTL', holder)
  return left >= 0 and left <= 10 * tonumber(hold)
end

-- The version of data of time zones that a live node has, if it is later than this node's.
local function later_zones(own, next_instant)
  if own == '' or not packed_zones and next_instant < 0 then
    return nil
  end
  local version, seen = string.match(packed_zones or '', '^(%w+) (%d+)$')
  local age = at - (tonumber(seen) or 0)
  if version and version > own and age <= tonumber(ARGV[18]) then
    return version
  elseif version ~= own or age > tonumber(ARGV[18]) / 3 then
    redis.call('SET', zones, own .. ' ' .. string.format('%.0f', at))
  end
  return nil
end

local function is_mixed(at)
  local live_names = live_handlers(at)
  for _, names in ipairs(live_names) do
    if names ~= live_names[1] then
      return true
    end
  end
  return redis.call('EXISTS', hints) == 1
end

local entry = tonumber(redis.call('ZSCORE', nodes, node) or registered)
local lost = math.max(0, math.min(registered, registered - entry))
local live, known = register(node, at, stay, load, names)
declare_limits(node, ARGV[15], ARGV[16])
local is_other = current and current ~= node and holds()
local next_instant = is_other and -1 or ms_to_instant(at)
local zones_of_other = later_zones(ARGV[17], next_instant)
if zones_of_other and not is_other then
  redis.call('DEL', holder)
end
if is_other or zones_of_other then
  return { live, known, is_mixed(at) and 1 or 0, 0, 0, born, at, lost, zones_of_other }
end
redis.call('SET', holder, node, 'PX', hold)
-- Keeps unheard rings from piling up.
redis.call('LTRIM', ready, -1000, -1)
expire_windows(at, 100)
prune(at, time, count, 200)
repair(at, lease)
repair_index()
reconsider_some()
if steps then
  close_log()
end
prune_hints(at)
local mixed = is_mixed(at) and 1 or 0

local upto = at + horizon
if count_startable(upto) > quiet then
  redis.call('SET', busy, node, 'PX', hold)
  redis.call('SET', watermark, string.format('%.0f', arranged), 'PX', hold)
  return { live, known, mixed, 1, arranged, born, at, lost, next_instant }
end
redis.call('DEL', busy)
redis.call('SET', watermark, string.format('%.0f', upto), 'PX', 2 * horizon)
local id, due = next_waiting(arranged, upto)
return { live, known, mixed, 1, upto, born, at, lost, next_instant, id, due and math.max(0, tonumber(due) - at) }
