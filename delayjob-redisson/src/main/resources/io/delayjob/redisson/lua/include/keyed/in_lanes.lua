--- @exports remove_plain
-- The functions of include/waiting.lua in a shard with keys.
local add_plain = add_waiting
remove_plain = remove_waiting
local plain_until = waits_until
local first_plain = first_waiting
local due_plain = due_waiting
local count_plain = count_waiting
local page_of_plain = page_of_waiting

-- The part of a turn by which a key that comes is at most behind the one that had the last turn, so that it is before the next one of that key.
local ALMOST = 0.999

-- Puts keys where they belong after new jobs were added. `firsts` has of each key the first of these jobs, with its time.
local function settle_added(names, firsts)
  local changed, others, known = {}, {}, {}
  for n, time in ipairs(redis.call('ZMSCORE', wakes, unpack(names))) do
    local key = names[n]
    if not time then
      others[#others + 1] = key
    elseif firsts[key].time < tonumber(time) then
      changed[#changed + 1] = key
    end
  end
  if #others > 0 then
    local in_turns, in_blocked = redis.call('ZMSCORE', turns, unpack(others)), redis.call('ZMSCORE', blocked, unpack(others))
    for n, key in ipairs(others) do
      local time = in_blocked[n]
      if not in_turns[n] and (not time or firsts[key].time < tonumber(time)) then
        changed[#changed + 1] = key
        known[key] = not time and firsts[key] or nil
      end
    end
  end
  settle_keys(changed, known)
end

-- A new job with a key has got a seat, see include/keyed/use_key.lua.
function add_new_waiting(...)
  local given, usual, times, entries, names, firsts = { ... }, {}, {}, {}, {}, {}
  for i = 1, #given, 2 do
    local time, id = given[i], given[i + 1]
    local key = read_keys[id]
    if not key then
      usual[#usual + 1], usual[#usual + 2] = time, id
    else
      local seat, first = read_seats[id], firsts[key]
      times[#times + 1], times[#times + 2] = time, id
      entries[#entries + 1], entries[#entries + 2] = '0', member(key, seat, id)
      if not first then
        names[#names + 1] = key
      end
      if not first or seat < first.seat then
        firsts[key] = { time = tonumber(time), seat = seat, where = '' }
      end
    end
  end
  if #usual > 0 then
    add_plain(unpack(usual))
  end
  if #names > 0 then
    keep_seats()
    redis.call('ZADD', keyed, unpack(times))
    redis.call('ZADD', lanes, unpack(entries))
    settle_added(names, firsts)
  end
end

-- Makes jobs wait that are not new, and were 'moved', have 'returned' or are 'restored'. Those that return keep their numbers, and in lanes with a
-- strict order their seats, unless they are due before these. Others get seats behind those that were given before, of their times or of `place`, ms.
local function put_in_lanes(how, place, ...)
  local given, ids, usual, places, names = { ... }, {}, {}, {}, {}
  for i = 2, #given, 2 do
    ids[#ids + 1] = given[i]
  end
  local packed = redis.call('HMGET', facts, unpack(ids))
  for n, id in ipairs(ids) do
    local key, seat = lane_of(packed[n])
    read_keys[id], read_seats[id] = key or false, seat
    if not key then
      usual[#usual + 1], usual[#usual + 2] = given[2 * n - 1], id
    elseif not places[key] then
      names[#names + 1] = key
      places[key] = #names
    end
  end
  if #usual > 0 then
    add_plain(unpack(usual))
  end
  if #names == 0 then
    return
  end
  local terms, times, entries, gone, after = how == 'returned' and limits_of(names), {}, {}, {}, {}
  for n, id in ipairs(ids) do
    local key, seat, time = read_keys[id], read_seats[id], given[2 * n - 1]
    if key then
      local taken
      if not terms or seat == '' then
        taken = new_seat(place or time)
      elseif terms[places[key]].terms.strict and time_of(seat) <= tonumber(time) then
        taken = seat
      else
        taken = seat_at(time, string.sub(seat, 16))
      end
      if seat ~= taken then
        if seat ~= '' then
          gone[#gone + 1] = member(key, seat, id)
        end
        after[#after + 1], after[#after + 2] = id, with_seat(packed[n], seat, taken)
      end
      times[#times + 1], times[#times + 2] = time, id
      entries[#entries + 1], entries[#entries + 2] = '0', member(key, taken, id)
      read_keys[id] = nil
    end
  end
  keep_seats()
  if #gone > 0 then
    redis.call('ZREM', lanes, unpack(gone))
  end
  if #after > 0 then
    redis.call('HSET', facts, unpack(after))
  end
  redis.call('ZADD', keyed, unpack(times))
  redis.call('ZADD', lanes, unpack(entries))
  settle_keys(names, nil, how)
end

function add_waiting(...)
  put_in_lanes('moved', nil, ...)
end

function return_waiting(...)
  put_in_lanes('returned', nil, ...)
end

function place_of_returning(fact, time)
  local key, seat = lane_of(fact.others .. '|key=')
  local place = key and time_of(seat)
  if place and place < tonumber(time) and limits_of({ key })[1].terms.strict then
    return string.format('%.0f', place)
  end
end

function restore_waiting(time, id, place)
  put_in_lanes('restored', place ~= '' and place or nil, time, id)
end

-- Removes jobs from their lanes; returns the keys.
local function leave_lanes(ids)
  local entries, gone, names, seen = {}, {}, {}, {}
  read_lanes(ids)
  for _, id in ipairs(ids) do
    local key = read_keys[id]
    if key then
      entries[#entries + 1] = member(key, read_seats[id], id)
      gone[#gone + 1] = id
      names[#names + 1] = not seen[key] and key or nil
      seen[key], read_keys[id] = true, nil
    end
  end
  if #gone > 0 then
    redis.call('ZREM', lanes, unpack(entries))
    redis.call('ZREM', keyed, unpack(gone))
  end
  return names
end

function remove_waiting(...)
  round.is_sure = false
  remove_plain(...)
  settle_keys(leave_lanes({ ... }))
end

-- Calls change(key, terms, times) for each rate that jobs count against, with those of their times that belong to it. Returns their keys.
local function each_rate(ids, times, change)
  local by_key, names = {}, {}
  read_lanes(ids)
  for n, id in ipairs(ids) do
    local key = read_keys[id]
    if key then
      names[#names + 1] = not by_key[key] and key or nil
      by_key[key] = by_key[key] or {}
      table.insert(by_key[key], times[n])
    end
  end
  for n, its in ipairs(limits_of(names)) do
    change(names[n], its.terms, by_key[names[n]])
  end
  change('', limits_of_shard(), times)
  return names
end

-- Takes back what jobs were counted against rates when they were claimed.
function give_back_waiting(...)
  local given, ids, claimed = { ... }, {}, {}
  for i = 2, #given, 2 do
    ids[#ids + 1] = given[i]
  end
  for n, packed in ipairs(redis.call('HMGET', facts, unpack(ids))) do
    claimed[n] = tonumber(string.match(packed or '', '|claimed=(%d+)') or 0)
  end
  each_rate(ids, claimed, function(key, terms, times)
    refund(key, terms, times, moment())
  end)
  put_in_lanes('returned', nil, ...)
end

function count_again(...)
  round.is_sure = false
  settle_keys(each_rate({ ... }, { ... }, function(key, terms, times)
    spend(key, terms, #times, moment())
  end))
end

-- Removes jobs that due_waiting has found, because they begin, and counts their turns and against the rates.
function start_waiting(...)
  local ids, usual, at = { ... }, {}, moment()
  if not next(round.turns) then
    remove_plain(...)
    spend('', limits_of_shard(), #ids, at)
    return
  end
  local last, count = tonumber(redis.call('HGET', passes, '') or 0), redis.call('ZCARD', turns)
  for _, id in ipairs(ids) do
    local turn = round.turns[read_keys[id]]
    if turn then
      turn.begun = turn.begun + 1
      -- A key that comes now is behind those that came before, and before those that have just had a turn.
      local step = TURN / turn.its.terms.weight
      last = math.max(last, turn.start, math.min(last + math.max(1, math.floor(step / count)), turn.start + ALMOST * step))
      turn.start = turn.start + step
    else
      usual[#usual + 1] = id
    end
  end
  if #usual > 0 then
    remove_plain(unpack(usual))
  end
  spend('', limits_of_shard(), #ids, at)
  if #usual == #ids then
    return
  end
  redis.call('HSET', passes, '', exact(last))
  local names, known = leave_lanes(ids), {}
  for _, key in ipairs(names) do
    local turn = round.turns[key]
    local next = 2 * turn.begun + 1
    spend(key, turn.its.terms, turn.begun, at)
    local time = turn[next + 1]
    if not time and turn.behind and not turn.its.terms.strict then
      time = time_of(turn.behind)
    end
    turn.pass, known[key] = turn.start, turn
    local is_odd = turn.is_odd or turn[next] and not turn.its.terms.strict and tonumber(time) > math.max(at, time_of(read_seats[turn[next]]))
    if round.is_sure and turn.begun == turn.taken and not is_odd and (time or turn.is_whole) then
      turn.time = tonumber(time) or false
    else
      turn.time, turn.where = nil, nil
    end
  end
  local over = redis.call('ZRANGEBYSCORE', rates, '-inf', at * MICROS, 'LIMIT', 0, 2 * #names + 10)
  if #over > 0 then
    redis.call('ZREM', rates, unpack(over))
  end
  settle_keys(names, known)
end

function waits_until(id)
  return plain_until(id) or redis.call('ZSCORE', keyed, id)
end

-- The time from which the shard as a whole lets jobs begin; nil if as many run as may.
local function shard_begins()
  local shard = limits_of_shard()
  if shard.concurrency and running_in_shard() >= shard.concurrency then
    return nil
  end
  return math.max(shard.slow, begins_by_rate('', shard))
end

-- The next key that may begin a job: the job, and when.
local function first_keyed()
  local key = redis.call('ZRANGE', turns, '0', '0')[1]
  if key then
    -- If that one is not due, the next claim puts the key where it belongs, and others may have their turns.
    local time, id = head_of(key)
    return id, time and math.min(time, moment())
  end
  local first = redis.call('ZRANGE', wakes, '0', '0', 'WITHSCORES')
  return first[1] and select(2, head_of(first[1])), tonumber(first[2])
end

-- Of the jobs that limits do not hold back for good, the one that may begin first.
function first_waiting()
  local from = shard_begins()
  if not from then
    return nil
  end
  local id, time = first_plain()
  local keyed_id, keyed_time = first_keyed()
  if keyed_id and (not id or keyed_time < tonumber(time)) then
    id, time = keyed_id, keyed_time
  end
  return id, id and string.format('%.0f', math.max(from, time))
end

-- It looks at the first keys that may begin a job now, and at as many that may since claims have looked.
function oldest_waiting()
  local from, at = shard_begins(), moment()
  if not from or from > at then
    return nil
  end
  local _, first = first_plain()
  local oldest, names = tonumber(first) or math.huge, redis.call('ZRANGE', turns, 0, MOST_LOOKED_AT - 1)
  for _, key in ipairs((woken_keys())) do
    names[#names + 1] = key
  end
  for _, key in ipairs(names) do
    oldest = math.min(oldest, head_of(key) or math.huge)
  end
  return oldest < math.huge and oldest or nil
end

function worthwhile_at(ahead)
  local _, time = first_waiting()
  local _, plain_time = first_plain()
  if time and plain_time and not limits_of_shard().limited then
    return math.min(tonumber(time), plain_time - math.floor(ahead / 2))
  end
  return tonumber(time)
end

-- At most `most_limited` of the jobs are subject to limits, and none of these is handed out before it is due, nor any other with a key.
function due_waiting(by, most, skip, _, boost, at, most_limited)
  may_ring = false
  local shard, wanted = limits_of_shard(), most + (skip or 0)
  if shard.limited then
    local begins = shard_begins()
    local room = begins and begins <= at and permits_of('', shard, at) or 0
    room = math.min(room, shard.concurrency and shard.concurrency - running_in_shard() or math.huge)
    wanted, by = math.min(wanted, room, most_limited), math.min(by, at)
  end
  if wanted <= (skip or 0) then
    return {}
  end
  local usual, others, ranks = due_plain(by, wanted, 0, nil, boost, at)
  for i = 1, #usual, 2 do
    read_keys[usual[i]] = false
  end
  local in_lanes = due_in_lanes(wanted, most_limited, at)
  if #in_lanes == 0 and (skip or 0) == 0 then
    return usual, others
  end
  local found, a, b, passed_over = {}, 1, 1, 0
  while passed_over < wanted and (usual[a] or in_lanes[b]) do
    local from, i = usual, a
    if not usual[a] or in_lanes[b] and tonumber(in_lanes[b + 1]) <= (ranks and ranks[(a + 1) / 2] or tonumber(usual[a + 1])) then
      from, i, b = in_lanes, b, b + 2
    else
      a = a + 2
    end
    passed_over = passed_over + 1
    if passed_over > (skip or 0) then
      found[#found + 1], found[#found + 2] = from[i], from[i + 1]
    end
  end
  return found, others
end

function count_waiting(by)
  return count_plain(by) + redis.call('ZCOUNT', keyed, '-inf', by)
end

-- The held keys that are not in `blocked` yet, because no claim has looked at them, with the times of their next jobs; and by key those that are there
-- though they may begin a job now.
local function held_elsewhere()
  local open, full = woken_keys()
  local more, over = {}, {}
  for n, time in ipairs(#full > 0 and redis.call('ZMSCORE', blocked, unpack(full)) or {}) do
    local first = not time and head_of(full[n])
    more[#more + 1] = first and { full[n], first } or nil
  end
  for n, time in ipairs(#open > 0 and redis.call('ZMSCORE', blocked, unpack(open)) or {}) do
    over[open[n]] = time and true or nil
  end
  return more, over
end

-- How many due jobs limits hold back, if they hold back so many keys, these first.
local function count_limited(count, names)
  local begins, at = shard_begins(), moment()
  if not begins or begins > at then
    return count_waiting(at)
  end
  for n, its in ipairs(limits_of(names)) do
    local key = names[n]
    local due = redis.call('ZLEXCOUNT', lanes, '[' .. key .. '\0', '(' .. key .. '\0' .. seat_at(at + 1, ''))
    if (its.terms.strict or not its.are_known) and (head_of(key) or 0) > at then
      due = due - 1
    end
    count = count + math.max(0, due - 1)
  end
  return count
end

function held_back()
  local at = string.format('%.0f', moment())
  local found, over = held_elsewhere()
  local listed, names = redis.call('ZRANGEBYSCORE', blocked, '-inf', at, 'WITHSCORES', 'LIMIT', 0, 2 * MOST_LOOKED_AT), {}
  local count = redis.call('ZCOUNT', blocked, '-inf', at) + #found
  for i = 1, #listed, 2 do
    if not over[listed[i]] then
      found[#found + 1] = { listed[i], tonumber(listed[i + 1]) }
    end
  end
  for _ in pairs(over) do
    count = count - 1
  end
  table.sort(found, function(a, b)
    return a[2] < b[2] or a[2] == b[2] and a[1] < b[1]
  end)
  for n = 1, math.min(MOST_LOOKED_AT, #found) do
    names[n] = found[n][1]
  end
  return count, count_limited(count, names), names
end

function count_startable(by)
  return count_plain(by) + redis.call('ZCARD', turns) + redis.call('ZCOUNT', wakes, '-inf', by)
end

-- Of the keys that may begin a job now it looks at the one whose turn is next.
function next_waiting(after, by)
  may_ring = false
  settle_keys(redis.call('ZRANGEBYSCORE', wakes, '-inf', moment(), 'LIMIT', 0, 100))
  local next = due_plain(by, 1, 0, after)
  local id, time = next[1], tonumber(next[2])

  local function look_at(key, begins)
    local its_time, its_id = head_of(key)
    its_time = begins or its_time
    if its_time and its_time > after and its_time <= by and (not id or its_time < time) then
      id, time = its_id, its_time
    end
  end

  local turn = redis.call('ZRANGE', turns, '0', '0')[1]
  if turn then
    look_at(turn)
  end
  local woken = redis.call('ZRANGEBYSCORE', wakes, '(' .. string.format('%.0f', after), by, 'WITHSCORES', 'LIMIT', 0, 1)
  if woken[1] then
    look_at(woken[1], tonumber(woken[2]))
  end
  return id, id and string.format('%.0f', time)
end

function any_waiting(_, most)
  local found = due_plain('+inf', most)
  local rest = most - #found / 2
  for _, value in ipairs(rest > 0 and redis.call('ZRANGE', keyed, 0, rest - 1, 'WITHSCORES') or {}) do
    found[#found + 1] = value
  end
  return found
end

function page_of_waiting(over, after, after_id, most)
  local passed_over = over and redis.call('ZCOUNT', keyed, '-inf', over) or 0
  return merge_pages(page_of_plain(over, after, after_id, most), page(keyed, passed_over, after, after_id, most), most)
end
