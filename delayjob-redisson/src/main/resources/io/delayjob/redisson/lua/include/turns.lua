--- @exports round due_in_lanes
-- The turns of keys in a claim: each key begins one job in its turn, and the key with the lowest pass is next.
--
-- round has the turns of the keys whose jobs due_in_lanes found last, by key, and whether nothing has changed since.
round = { turns = {}, is_sure = false }

-- How many more keys a claim looks at than it hands out jobs, because some may begin none.
local SPARE = 50

local function is_before(one, other)
  return one.pass < other.pass or one.pass == other.pass and one.key < other.key
end

-- A function that returns the turns of the keys that may begin jobs now, in their order, and nil after the last; and how many keys there are. A
-- turn has the `key`, its `pass` and `its` limits. Once they are read, it has the next jobs, ids and times one after the other, `read` of them, of which
-- `ready` may begin now. None follow if it `is_whole`, else one with the seat `behind`; if it `is_odd`, one of them does not wait, or the one behind has
-- another time than its seat.
local function turns_of(most, at)
  settle_keys(redis.call('ZRANGEBYSCORE', wakes, '-inf', at, 'LIMIT', 0, most + SPARE), nil, 'woken')
  local listed, names, next = redis.call('ZRANGE', turns, 0, most + SPARE - 1, 'WITHSCORES'), {}, 0
  for i = 1, #listed, 2 do
    names[#names + 1] = listed[i]
  end
  local terms = limits_of(names)
  return function()
    next = next + 1
    if not names[next] then
      return nil
    end
    local pass = tonumber(listed[2 * next])
    -- With all its fields, the table is made in one step, and never grows.
    return {
      false, false,
      key = names[next], pass = pass, start = pass, its = terms[next], taken = 0, begun = 0, read = 0, time = false, where = turns,
      most = false, ready = false, behind = false, is_whole = false, is_odd = false,
    }
  end, #names
end

-- How many jobs of a key may begin now by its limits.
local function most_of(turn, most, at)
  local terms = turn.its.terms
  local free = terms.concurrency and terms.concurrency - running_of(turn.key) or most
  return math.min((turn.its.paused or is_held_by_dead(turn.key, terms)) and 0 or free, permits_of(turn.key, terms, at), turn.its.slow > at and 0 or most)
end

-- Reads the next jobs of some keys, `portion` of each and the seat behind these.
local function read_jobs(some, portion, most, at)
  local ids, ends, followed, following = {}, {}, {}, {}
  for n, turn in ipairs(some) do
    turn.most = turn.most or most_of(turn, most, at)
    local entries = turn.most > turn.read and jobs_of(turn.key, turn.read, portion + 1) or {}
    for i, entry in ipairs(entries) do
      local seat, id = seat_and_id(turn.key, entry)
      if i <= portion then
        ids[#ids + 1], read_keys[id], read_seats[id] = id, turn.key, seat
      end
      turn.behind = i > portion and seat or nil
      if turn.behind and not turn.its.terms.strict then
        followed[#followed + 1], following[#following + 1] = turn, id
      end
    end
    turn.is_whole = turn.most > turn.read and #entries <= portion
    ends[n] = #ids
  end
  for _, id in ipairs(following) do
    ids[#ids + 1] = id
  end
  local times, place = #ids > 0 and redis.call('ZMSCORE', keyed, unpack(ids)) or {}, 0
  for n, turn in ipairs(some) do
    turn.ready = turn.ready or 0
    while place < ends[n] do
      place = place + 1
      local time = times[place]
      turn[2 * turn.read + 1], turn[2 * turn.read + 2] = ids[place], time
      turn.is_odd = turn.is_odd or not time
      if turn.ready == turn.read and turn.ready < turn.most and time and tonumber(time) <= at then
        turn.ready = turn.ready + 1
      end
      turn.read = turn.read + 1
    end
  end
  for n, turn in ipairs(followed) do
    turn.is_odd = turn.is_odd or tonumber(times[place + n] or -1) ~= time_of(turn.behind)
  end
end

-- The jobs with keys that may begin now, at most `most`, and at most `most_limited` of keys with a concurrency or a rate: ids and times, one after the
-- other, in the order of the keys' turns.
function due_in_lanes(most, most_limited, at)
  round.turns = {}
  if most <= 0 then
    return {}
  end
  local next_turn, count = turns_of(most, at)
  local portion, queue = math.ceil(most / count), {}
  for n = 1, math.min(most, count) do
    queue[n] = next_turn()
  end
  read_jobs(queue, portion, most, at)
  local found, unsettled, limited, first, again, first_again = {}, {}, 0, 1, {}, 1

  -- Puts a key back behind those whose turns come before its next one.
  local function put_back(turn)
    local place = #again + 1
    while place > first_again and is_before(turn, again[place - 1]) do
      again[place], place = again[place - 1], place - 1
    end
    again[place] = turn
  end

  while #found < 2 * most do
    local turn, back = queue[first] or next_turn(), again[first_again]
    if not turn and not back then
      break
    elseif back and (not turn or is_before(back, turn)) then
      queue[first], turn, first_again = turn, back, first_again + 1
    else
      first = first + 1
    end
    local is_limited = turn.its.terms.concurrency or turn.its.terms.spacing
    if not is_limited or limited < most_limited then
      local next = turn.taken + 1
      if not turn.ready or next > turn.read and not turn.is_whole then
        read_jobs({ turn }, portion, most, at)
      end
      if next <= turn.ready then
        limited = limited + (is_limited and 1 or 0)
        found[#found + 1], found[#found + 2] = turn[2 * next - 1], turn[2 * next]
        turn.taken, turn.pass = next, turn.pass + TURN / turn.its.terms.weight
        round.turns[turn.key] = turn
        if next < turn.ready or turn.ready == turn.read and not turn.is_whole then
          put_back(turn)
        end
      elseif turn.taken == 0 then
        unsettled[#unsettled + 1] = turn.key
      end
    end
  end
  settle_keys(unsettled)
  round.is_sure = true
  return found
end
