--- @keys waiting prioritized
-- The jobs that wait, each with the time from which claims take it, ms. That is its due time; or the time of its next offer, if nodes could
-- not run it or passed it on. The set `waiting` contains the ids and times of those with the usual priority, 4. The set `prioritized`
-- contains the others in nine parts, called levels, with the score level * 1e15 + time; the level is the priority, less 1 if that is above
-- 4. Times have at most 15 digits, so every score is exact, and the jobs of a level are ordered by time. No other file names these sets, but
-- include/know_levels.lua for their type.
--
-- Claims take the jobs with the lowest ranks: time - (priority - 4) * boost. Of equal ranks the earlier time comes first, then the higher
-- priority, then the bytes of the ids. So a job is overtaken only by jobs that came due up to (difference of priorities) * boost later.
--
-- A node of an older release knows only `waiting`, and may add a job to it that is in `prioritized`. Therefore a job that leaves one of
-- them, or gets a new time, leaves both.
--
-- add_waiting(time, id, ...): makes jobs wait until these times, ms as text, with the priorities in their facts. A job that already waits
-- gets the new time.
local function add_waiting(...)
  if used_levels == '' then
    redis.call('ZADD', waiting, ...)
    return
  end
  local given, ids, usual, others = { ... }, {}, {}, {}
  for i = 2, #given, 2 do
    ids[#ids + 1] = given[i]
  end
  redis.call('ZREM', waiting, unpack(ids))
  redis.call('ZREM', prioritized, unpack(ids))
  -- A submit without terms has no facts to look at.
  local known = facts and redis.call('HMGET', facts, unpack(ids)) or {}
  for n, id in ipairs(ids) do
    local more = string.match(known[n] or '', '|claimed=%d*(.-)|key=') or ''
    local priority = tonumber(string.match(more .. '|', '|priority=(%d)|') or 4)
    local level = priority > 4 and priority - 1 or priority
    local set, time = usual, given[2 * n - 1]
    if priority ~= 4 and string.find(used_levels, level, 1, true) then
      set, time = others, string.format('%.0f', level * 1e15 + math.max(0, math.min(tonumber(time), 1e15 - 1)))
    end
    set[#set + 1], set[#set + 2] = time, id
  end
  if #usual > 0 then
    redis.call('ZADD', waiting, unpack(usual))
  end
  if #others > 0 then
    redis.call('ZADD', prioritized, unpack(others))
  end
end

-- add_new_waiting(time, id, ...): the same for jobs that were just stored.
local add_new_waiting = add_waiting

-- return_waiting(time, id, ...): the same for jobs that a claim has handed out or passed on.
local function return_waiting(...)
  add_waiting(...)
end

-- place_of_returning(fact, time): of a job that returns and waits until a time, ms: the due time, ms, by which it keeps its place before other jobs of
-- its key, if that is not this time; nil without one.
local function place_of_returning()
  return nil
end

-- restore_waiting(time, id, place): makes a job wait that is put back, with such a place, or an empty one.
local function restore_waiting(time, id)
  add_waiting(time, id)
end

-- give_back_waiting(time, id, ...): the same as return_waiting for jobs that a claim has handed out in vain.
local function give_back_waiting(...)
  add_waiting(...)
end

-- remove_waiting(id, ...): removes jobs; they need not wait.
local function remove_waiting(...)
  redis.call('ZREM', waiting, ...)
  if used_levels ~= '' then
    redis.call('ZREM', prioritized, ...)
  end
end

-- start_waiting(id, ...): removes jobs because they begin.
local function start_waiting(...)
  remove_waiting(...)
end

-- count_again(id, ...): counts jobs against the rates that begin once more because their leases ended.
local function count_again()
end

-- waits_until(id): the job's time as text; false if it does not wait, or is in a level that `levels` has lost, where claims do not look.
local function waits_until(id)
  local time = checked('ZSCORE', waiting, id)
  if time or used_levels == '' then
    return time
  end
  local score = redis.call('ZSCORE', prioritized, id)
  local level = score and string.format('%.0f', math.floor(score / 1e15))
  return level and #level == 1 and string.find(used_levels, level, 1, true) and string.format('%.0f', score % 1e15)
end

-- first_waiting(): the id and time of the job with the earliest time; nil if none waits.
local function first_waiting()
  local first = redis.call('ZRANGE', waiting, '0', '0', 'WITHSCORES')
  local id, time = first[1], first[2]
  if used_levels ~= '' then
    for level in string.gmatch(used_levels, '%d') do
      local from = level * 1e15
      local one = redis.call('ZRANGEBYSCORE', prioritized, from, from + 1e15 - 1, 'WITHSCORES', 'LIMIT', 0, 1)
      if one[1] and (not time or one[2] - from < tonumber(time)) then
        id, time = one[1], string.format('%.0f', one[2] - from)
      end
    end
  end
  return id, time
end

-- oldest_waiting(): the earliest time of a job that limits do not hold back; nil if there is none.
local function oldest_waiting()
  local _, time = first_waiting()
  return time
end

-- worthwhile_at(ahead): from when a claim is worthwhile that hands out jobs so many ms before they are due: half of that before the first is due, so
-- that it finds more than this one; nil if none waits.
local function worthwhile_at(ahead)
  local _, time = first_waiting()
  return time and tonumber(time) - math.floor(ahead / 2)
end

-- due_waiting(by, most, skip, after, boost, at): ids and times, one after the other, of the jobs with the lowest ranks among those with a
-- time up to `by`: at most `most`. Jobs with a time after `at`, if that is given, come last. It leaves out the first `skip`, and jobs with a time up to
-- `after`, if these are given. Without a boost, ms, the ranks are the times. Also returns which of the ids are in `prioritized`, and the ranks;
-- both nil if no job of the shard ever was.
local function due_waiting(by, most, skip, after, boost, at)
  if most <= 0 then
    return {}
  end
  local from = after and string.format('(%.0f', after) or '-inf'
  if used_levels == '' then
    return redis.call('ZRANGEBYSCORE', waiting, from, by, 'WITHSCORES', 'LIMIT', skip or 0, most)
  end
  local wanted, skipped, sources, found, others, ranks = most + (skip or 0), 0, {}, {}, {}, {}

  local function add_source(set, start, low, high, priority)
    local jobs = redis.call('ZRANGEBYSCORE', set, low, high, 'WITHSCORES', 'LIMIT', 0, wanted)
    local source = { jobs = jobs, next = 1, start = start, priority = priority, ahead = (priority - 4) * (boost or 0) }
    source.time = jobs[2] and jobs[2] - start
    sources[#sources + 1] = source
  end

  local function is_before(a, b)
    if at and (a.time > at) ~= (b.time > at) then
      return b.time > at
    end
    local difference = (a.time - a.ahead) - (b.time - b.ahead)
    if difference == 0 then
      difference = a.time - b.time
    end
    return difference < 0 or difference == 0 and a.priority > b.priority
  end

  add_source(waiting, 0, from, by, 4)
  for level in string.gmatch(used_levels, '%d') do
    local start, low_end = level * 1e15, after and '(' or ''
    local low = low_end .. string.format('%.0f', start + (after or 0))
    add_source(prioritized, start, low, start + math.min(tonumber(by) or 1e15, 1e15 - 1), level + (start < 4e15 and 0 or 1))
  end
  while #found < 2 * most do
    local first
    for _, source in ipairs(sources) do
      if source.time and (not first or is_before(source, first)) then
        first = source
      end
    end
    if not first then
      break
    end
    local id, time = first.jobs[first.next], first.time
    first.next = first.next + 2
    first.time = first.jobs[first.next + 1] and first.jobs[first.next + 1] - first.start
    if others[id] == nil then
      others[id] = first.priority ~= 4
      skipped = skipped + 1
      if skipped > (skip or 0) then
        ranks[#ranks + 1] = time - first.ahead
        found[#found + 1], found[#found + 2] = id, string.format('%.0f', time)
      end
    end
  end
  return found, others, ranks
end

-- next_waiting(after, by): the id and time of the first job with a time after `after` and up to `by`; nil if there is none.
local function next_waiting(after, by)
  local due = due_waiting(by, 1, 0, after)
  return due[1], due[2]
end

-- any_waiting(by, most): ids and times, one after the other, of jobs that wait: at most `most`, whatever their times.
local function any_waiting(_, most)
  return due_waiting('+inf', most)
end

-- count_waiting(by): how many jobs have a time up to `by`.
local function count_waiting(by)
  local count = checked('ZCOUNT', waiting, '-inf', by)
  if used_levels ~= '' then
    for level in string.gmatch(used_levels, '%d') do
      local start = level * 1e15
      count = count + redis.call('ZCOUNT', prioritized, start, start + math.min(tonumber(by) or 1e15, 1e15 - 1))
    end
  end
  return count
end

-- count_startable(by): how many jobs a claim may find up to `by`; of those with the same key it may count one.
local function count_startable(by)
  return count_waiting(by)
end

-- held_back(): how many keys are held back by a limit though their next job is due, how many due jobs limits hold back, and the first 200 of the keys,
-- those first whose jobs have waited longest; each of the others counts as one job. A shard without keys has none.
local function held_back()
  return 0, 0, {}
end

-- The first of two pages together, at most `most`.
local function merge_pages(usual, other, most)
  local found, a, b = {}, 1, 1
  while #found < 2 * most and (usual[a] or other[b]) do
    local time, other_time = tonumber(usual[a + 1]), tonumber(other[b + 1])
    if not other_time or time and (time < other_time or time == other_time and at_or_before(usual[a], other[b])) then
      found[#found + 1], found[#found + 2], a = usual[a], usual[a + 1], a + 2
    else
      found[#found + 1], found[#found + 2], b = other[b], other[b + 1], b + 2
    end
  end
  return found
end

-- page_of_waiting(over, after, after_id, most): ids and times, one after the other, of the jobs that follow a position in the order of their
-- times and ids, as in include/page.lua. It leaves out jobs with a time up to `over`, ms, if that is given.
local function page_of_waiting(over, after, after_id, most)
  local found = page(waiting, over and redis.call('ZCOUNT', waiting, '-inf', over) or 0, after, after_id, most)
  for level in string.gmatch(used_levels, '%d') do
    local start, other = level * 1e15, {}
    local before = redis.call('ZCOUNT', prioritized, '-inf', over and start + over or string.format('(%.0f', start))
    local place = after == '' and '' or whole(start + math.max(0, math.min(tonumber(after), 1e15 - 1)))
    local jobs = page(prioritized, before, place, after_id, most)
    for i = 1, #jobs, 2 do
      local time = jobs[i + 1] - start
      if time < 1e15 then
        other[i], other[i + 1] = jobs[i], string.format('%.0f', time)
      end
    end
    found = merge_pages(found, other, most)
  end
  return found
end
