--- @once now
--- @once needs_ring
--- @once seats
--- @keys facts reserved keyed lanes held buried turns wakes blocked passes rates limits seats ready levels
-- The jobs with keys, and the limits. A key is written as in the facts, where include/facts.lua has it. These names are only used here:
--   keyed    id → time: the jobs with keys that wait, as in `waiting`
--   lanes    key\0seat\0id, ordered by bytes: the same jobs in the order of their keys; the seat is in the facts
--   held     key\0id, ordered by bytes: the reserved jobs with keys
--   buried   key\0id, ordered by bytes: the dead jobs with keys
--   turns    key → pass: the keys that may begin a job now. The lowest pass is next; each job adds 1000 by the key's weight to it. Keys get here
--            with the pass that the empty key of passes has, if theirs is lower: that one goes up by 1000 while each key has a turn
--   wakes    key → ms: the keys whose next job may begin then, because of its time, a rate, or because the key was slowed
--   blocked  key → time of its first job that is held back, ms: the keys that may begin none, because all that may run at once run, because they are
--            paused, or because a dead job holds them; and those in wakes because of a rate, because they were slowed, or whose strict order lets jobs
--            wait for one that is due later
--   passes   key → pass, of keys in wakes or blocked if it is beyond that of the empty key
--   rates    key → µs: when its rate is used up no longer, see the generic cell rate algorithm; the empty key is the shard
--   limits   the limits, see limits_of_shard and limits_of; pause.lua uses it too, to end a time for which the shard was slowed
--   seats    counts the seats
-- A key with waiting jobs is in turns, in wakes, or in blocked alone: settle_keys puts it there after each change of its jobs. Claims look only
-- at the keys in turns, and at those in wakes whose time has come. A key in wakes that lower limits hold back is put into blocked only then.
local MICROS, TURN, MOST_LOOKED_AT = 1000, 1000, 200

local lanes_at
local function moment()
  lanes_at = lanes_at or (now())
  return lanes_at
end

-- The key and the seat in the facts of a job; nil without a key.
local function lane_of(packed)
  local from = packed and string.find(packed, '|lane=', 1, true)
  if from and from < (string.find(packed, '|key=', 1, true) or 0) then
    return string.match(packed, '^([^|]+)|seat=([^|]*)|', from + 6)
  end
end

local function member(key, seat, id)
  return key .. '\0' .. seat .. '\0' .. id
end

-- The key of each job that was read, false if it has none, and its seat. A job that gets into a lane or leaves it is forgotten.
local read_keys, read_seats = {}, {}

-- Reads the keys and seats of jobs, unless they were.
local function read_lanes(ids)
  local unread = {}
  for _, id in ipairs(ids) do
    if read_keys[id] == nil then
      unread[#unread + 1] = id
    end
  end
  for n, packed in ipairs(#unread > 0 and redis.call('HMGET', facts, unpack(unread)) or {}) do
    local key, seat = lane_of(packed)
    read_keys[unread[n]], read_seats[unread[n]] = key or false, seat
  end
end

-- The entries of the jobs with keys in `held` or `buried`, and their keys.
local function entries_of(ids)
  local entries, names, seen = {}, {}, {}
  read_lanes(ids)
  for _, id in ipairs(ids) do
    local key = read_keys[id]
    if key then
      entries[#entries + 1] = key .. '\0' .. id
      names[#names + 1] = not seen[key] and key or nil
      seen[key] = true
    end
  end
  return entries, names
end

-- Adds the jobs with keys to `held` or `buried`.
local function add_entries(set, ids)
  local scored = {}
  read_lanes(ids)
  for _, id in ipairs(ids) do
    local key = read_keys[id]
    if key then
      scored[#scored + 1], scored[#scored + 2] = '0', key .. '\0' .. id
    end
  end
  if #scored > 0 then
    redis.call('ZADD', set, unpack(scored))
  end
end

-- The terms in packed limits: |concurrency=|permits=|per=|burst=|order=|weight=, each field only if it is there; per is in µs.
local function terms_in(packed)
  local permits, per = string.match(packed, '|permits=(%d+)|per=(%d+)')
  local strict = string.find(packed, '|order=STRICT', 1, true) ~= nil
  return {
    concurrency = tonumber(string.match(packed, '|concurrency=(%d+)')) or strict and 1 or nil,
    spacing = permits and per / permits,
    burst = tonumber(string.match(packed, '|burst=(%d+)')) or 0,
    strict = strict,
    holds = string.find(packed, '|order=STRICT_HOLD', 1, true) ~= nil,
    weight = tonumber(string.match(packed, '|weight=(%d+)')) or 1,
  }
end

-- The terms of the shard, with those of each key in `each`, until when it was slowed in `slow`, whether it limits all of its jobs now, whether there are
-- any limits, in `are_known`, and whether `limits` has a field of a key, in `own`. They are the fields share and each of `limits`, if they were set, else
-- those that nodes declare. These are the `even` share of the queue's limits. The last `round` that moved shares, see share_limits.lua, may have left
-- another one in the field lent. The field version has when limits of the queue were set or cleared last, see set_limits.lua.
local shard_limits
local function limits_of_shard()
  if not shard_limits then
    local fields =
      redis.call('HMGET', limits, 'share', 'each', 'declared', 'declared each', 'slow', 'declared by', 'again', 'round', 'lent', 'whole', 'version')
    local share, each, declared, declared_each, slow = unpack(fields, 1, 5)
    local present = 0
    for n = 1, 11 do
      present = present + (fields[n] and 1 or 0)
    end
    -- Limits that were set have one more | in front, so that there is something if they limit nothing.
    local even = string.gsub(share or declared or '', '^||', '|')
    local in_force = fields[9] or even
    shard_limits = terms_in(in_force)
    shard_limits.even, shard_limits.share, shard_limits.round = even, in_force, fields[8] or ''
    shard_limits.version = fields[11] or '0'
    shard_limits.each = terms_in(share and (each or '') or declared_each or '')
    shard_limits.slow = tonumber(slow or 0) > moment() and tonumber(slow) or 0
    shard_limits.limited = shard_limits.concurrency ~= nil or shard_limits.spacing ~= nil or shard_limits.slow > 0
    shard_limits.own = redis.call('HLEN', limits) > present
    shard_limits.are_known = share or each or declared or declared_each
    shard_limits.of_each = { terms = shard_limits.each, slow = 0, are_known = shard_limits.are_known }
  end
  return shard_limits
end

-- set_slow(field, millis): sets a field that begins with slow, so that nothing of its key or the shard begins for so many ms from now; a later time stays. Of a
-- few others, those whose time has passed are removed, unless their keys are in wakes because of it: keys that are never used again would leave theirs
-- for ever.
local function set_slow(field, millis)
  local until_time = math.max(moment() + tonumber(millis), tonumber(redis.call('HGET', limits, field) or 0))
  redis.call('HSET', limits, field, string.format('%.0f', until_time))
  local seen, passed = redis.call('HRANDFIELD', limits, '4', 'WITHVALUES'), {}
  for i = 1, #seen, 2 do
    local key = string.match(seen[i], '^slow:(.*)$')
    if key and tonumber(seen[i + 1]) <= moment() and not redis.call('ZSCORE', wakes, key) then
      passed[#passed + 1] = seen[i]
    end
  end
  if #passed > 0 then
    redis.call('HDEL', limits, unpack(passed))
  end
end

-- The terms of keys: the field key:… of each if it has limits of its own, else those of each key; and whether it is paused, and until when it was
-- slowed, in fields as paused:… and slow:….
local function limits_of(names)
  local shard, fields, found = limits_of_shard(), {}, {}
  if not shard.own or #names == 0 then
    for n = 1, #names do
      found[n] = shard.of_each
    end
    return found
  end
  for _, key in ipairs(names) do
    fields[#fields + 1] = 'key:' .. key
    fields[#fields + 1] = 'paused:' .. key
    fields[#fields + 1] = 'slow:' .. key
  end
  local packed = redis.call('HMGET', limits, unpack(fields))
  for n = 1, #names do
    local own = packed[3 * n - 2]
    found[n] = {
      terms = own and terms_in(own) or shard.each,
      paused = packed[3 * n - 1],
      slow = tonumber(packed[3 * n]) or 0,
      are_known = own or shard.are_known,
    }
  end
  return found
end

local function jobs_of(key, first, most)
  return redis.call('ZRANGEBYLEX', lanes, '[' .. key .. '\0', '(' .. key .. '\1', 'LIMIT', first, most)
end

-- The seat and the id in an entry of the lane of a key.
local function seat_and_id(key, entry)
  return string.sub(entry, #key + 2, #key + 31), string.sub(entry, #key + 33)
end

-- The time of the next job of a key, its id and its seat; false if none waits. What is left of a job that does not wait is removed.
local function head_of(key)
  while true do
    local first = jobs_of(key, 0, 1)[1]
    if not first then
      return false
    end
    local seat, id = seat_and_id(key, first)
    local time = redis.call('ZSCORE', keyed, id)
    if time then
      return tonumber(time), id, seat
    end
    redis.call('ZREM', lanes, first)
  end
end

-- The time of the job that is behind the next one of a key by its seat; nil if none is.
local function time_behind(key)
  local second = jobs_of(key, 1, 1)[1]
  return second and time_of(seat_and_id(key, second))
end

-- The time of the next job of a key, false if none waits. Unless the order is strict, a job that waits for another attempt lets those that are due before
-- go first: if it has kept its seat, because the order was strict before, it gets that of its time. Jobs that are restored keep theirs until limits
-- are known.
local function next_of(key, its, have)
  local time, id, seat = head_of(key)
  local keep = its.terms.strict or have == 'restored' and not its.are_known
  while not keep and time and time > moment() and time_of(seat) < time and (time_behind(key) or time) < time do
    local packed = redis.call('HGET', facts, id)
    local its_key, its_seat = lane_of(packed)
    if its_key ~= key or its_seat ~= seat then
      break
    end
    local taken = seat_at(time, string.sub(seat, 16))
    redis.call('HSET', facts, id, with_seat(packed, seat, taken))
    redis.call('ZREM', lanes, member(key, seat, id))
    redis.call('ZADD', lanes, '0', member(key, taken, id))
    read_keys[id] = nil
    time, id, seat = head_of(key)
  end
  return time
end

-- Since when a job of a key is due whose next job has this time: that one, or one behind it that is due before.
local function due_from(key, time)
  return time > moment() and math.min(time, time_behind(key) or time) or time
end

local function running_of(key)
  return redis.call('ZLEXCOUNT', held, '[' .. key .. '\0', '(' .. key .. '\1')
end

-- Whether dead jobs hold a key: its order is STRICT_HOLD, and it has some.
local function is_held_by_dead(key, terms)
  return terms.holds and redis.call('ZLEXCOUNT', buried, '[' .. key .. '\0', '(' .. key .. '\1') > 0
end

-- How many jobs of the shard run, with a key or without.
local function running_in_shard()
  return redis.call('ZCARD', reserved)
end

-- Whether a key may begin no job until one ends, it is resumed, or what died is redriven or purged.
local function is_closed(key, its)
  local most = its.terms.concurrency
  return its.paused or most and running_of(key) >= most or is_held_by_dead(key, its.terms)
end

-- From when a rate lets the next job begin, ms; of the empty key, that of the shard.
local function begins_by_rate(key, terms)
  local full = terms.spacing and redis.call('ZSCORE', rates, key)
  return full and math.ceil((full - terms.burst * terms.spacing) / MICROS - 1e-6) or 0
end

-- How many jobs a rate lets begin now.
local function permits_of(key, terms, at)
  if not terms.spacing then
    return math.huge
  end
  local full = tonumber(redis.call('ZSCORE', rates, key) or 0)
  return math.max(0, math.floor(terms.burst + 1 - math.max(0, full - at * MICROS) / terms.spacing + 1e-6))
end

-- Counts jobs against a rate.
local function spend(key, terms, count, at)
  if terms.spacing then
    local full = tonumber(redis.call('ZSCORE', rates, key) or 0)
    redis.call('ZADD', rates, string.format('%.0f', math.max(full, at * MICROS) + math.ceil(count * terms.spacing)), key)
  end
end

-- Gives back what jobs were counted that were claimed at these times, ms. One spacing later it is too late: others may have begun because of the time that
-- has passed.
local function refund(key, terms, claimed, at)
  local count = 0
  for _, time in ipairs(terms.spacing and claimed or {}) do
    count = count + (at * MICROS < time * MICROS + terms.spacing and 1 or 0)
  end
  if count > 0 and redis.call('ZSCORE', rates, key) then
    redis.call('ZINCRBY', rates, string.format('%.0f', -math.floor(count * terms.spacing)), key)
  end
end

-- After limits have changed: lets a rate hold jobs back for no longer than if as many had just begun as may begin at once. It may have been used up
-- when it was slower.
local function cap_rate(key, terms)
  local full = terms.spacing and redis.call('ZSCORE', rates, key)
  local most = full and moment() * MICROS + math.ceil((terms.burst + 1) * terms.spacing)
  if full and tonumber(full) > most then
    redis.call('ZADD', rates, string.format('%.0f', most), key)
  end
end

-- A pass as text. Many keys of a call have the same.
local last_exact, last_text
local function exact(pass)
  if pass ~= last_exact then
    last_exact, last_text = pass, string.format(pass % 1 == 0 and '%d' or '%.17g', pass)
  end
  return last_text
end

-- Rings, once in a call, if jobs may begin from a time on which the holder knows nothing of. A claim does not ring, because it asks again.
local may_ring = true
local function ring_for(time)
  if may_ring and needs_ring(time) then
    may_ring = false
    redis.call('RPUSH', ready, '')
  end
end

-- The passes that keys have in `turns`, by key, those that they have in `passes`, and that of the empty key.
local function passes_of(names, have)
  local noted = redis.call('HMGET', passes, '', unpack(names))
  local scores, in_turns, in_passes = (#names == 0 or have == 'woken') and {} or redis.call('ZMSCORE', turns, unpack(names)), {}, {}
  for n, key in ipairs(names) do
    in_turns[key], in_passes[key] = tonumber(scores[n]), tonumber(noted[n + 1])
  end
  return in_turns, in_passes, tonumber(noted[1]) or 0
end

-- settle_keys(names, known, have): puts keys where they belong now. If `known` has something of a key, that is its `pass` in turns, and maybe the `time` of
-- its next job, false if none waits, with the one set that has the key in `where`, '' for none. If keys have 'woken', they are in `wakes`, and their time
-- has come; and if they have 'restored' jobs, limits may not be known yet. Anything else in `have` changes nothing.
local function settle_keys(names, known, have)
  if #names == 0 then
    return
  end
  local at, terms, unknown = moment(), limits_of(names), {}
  local into, out = { [turns] = {}, [wakes] = {}, [blocked] = {} }, { [turns] = {}, [wakes] = {}, [blocked] = {} }
  local forgotten, later, woken = {}, {}, nil
  for _, key in ipairs(names) do
    unknown[#unknown + 1] = not (known and known[key] and known[key].where) and key or nil
  end
  local in_turns, in_passes, last = passes_of(unknown, have)

  local function move(key, was, set, score)
    if set then
      local scored = into[set]
      scored[#scored + 1], scored[#scored + 2] = score, key
    end
    if was and was ~= '' and was ~= set then
      out[was][#out[was] + 1] = key
    elseif not was then
      for other, keys in pairs(out) do
        keys[#keys + 1] = other ~= set and key or nil
      end
    end
  end

  -- Its next turn comes later, and does not forget the ones that it had.
  local function wait(key, was, set, time, pass)
    move(key, was, set, string.format('%d', time))
    if pass and pass > last then
      later[#later + 1], later[#later + 2] = key, exact(pass)
    end
  end

  local function held_from(key, terms, time)
    return (terms.strict or have == 'restored') and due_from(key, time) or time
  end

  local function forget(key)
    forgotten[#forgotten + 1] = in_passes[key] and key or nil
  end

  for n, key in ipairs(names) do
    local its, terms_of_it = known and known[key], terms[n].terms
    local was, time = its and its.where, its and its.time
    if have == 'woken' then
      was = wakes
      out[blocked][n] = key
    elseif was ~= '' and (terms_of_it.spacing or terms[n].slow > 0) then
      -- It may be in `blocked` too.
      was = nil
    end
    if terms[n].slow > 0 and terms[n].slow <= at then
      redis.call('HDEL', limits, 'slow:' .. key)
    end
    if time == nil and have ~= 'woken' then
      time = next_of(key, terms[n], have)
    end
    local closed = time ~= false and is_closed(key, terms[n])
    local from = (time == false or closed) and 0 or math.max(terms[n].slow, begins_by_rate(key, terms_of_it))
    if time == nil and (closed or from > at) then
      time = next_of(key, terms[n])
    end
    -- Keys keep their passes in turns; those of others are not less than that of the empty key.
    local has = its and its.pass or in_turns[key]
    if time == false then
      move(key, was)
      forget(key)
    elseif closed then
      wait(key, was, blocked, held_from(key, terms_of_it, time), has or in_passes[key])
    elseif math.max(time or 0, from) > at then
      from = math.max(time, from)
      wait(key, was, wakes, from, has or in_passes[key])
      woken = math.min(woken or from, from)
      local since = held_from(key, terms_of_it, time)
      if from > since then
        into[blocked][#into[blocked] + 1] = string.format('%d', since)
        into[blocked][#into[blocked] + 1] = key
      end
    else
      move(key, was, turns, exact(has or math.max(in_passes[key] or 0, last)))
      forget(key)
    end
  end
  for set, keys in pairs(out) do
    if #keys > 0 then
      redis.call('ZREM', set, unpack(keys))
    end
  end
  if #forgotten > 0 then
    redis.call('HDEL', passes, unpack(forgotten))
  end
  if #later > 0 then
    redis.call('HSET', passes, unpack(later))
  end
  if #into[blocked] > 0 then
    redis.call('ZADD', blocked, unpack(into[blocked]))
  end
  if #into[turns] > 0 and redis.call('ZADD', turns, unpack(into[turns])) > 0 then
    ring_for(at)
  end
  if woken then
    redis.call('ZADD', wakes, unpack(into[wakes]))
    if tonumber(redis.call('ZRANGE', wakes, '0', '0', 'WITHSCORES')[2]) >= woken then
      ring_for(woken)
    end
  end
end

-- Of the first keys whose time has come since claims have looked, those that may begin a job, and those that a concurrency, a pause or a dead job holds
-- back: these get into `blocked` with the next claim.
local function woken_keys()
  local names = redis.call('ZRANGEBYSCORE', wakes, '-inf', moment(), 'LIMIT', 0, MOST_LOOKED_AT)
  local terms, open, full = limits_of(names), {}, {}
  for n, key in ipairs(names) do
    local list = is_closed(key, terms[n]) and full or open
    list[#list + 1] = key
  end
  return open, full
end

-- The limits of the shard as a whole have changed.
local function shard_changed()
  shard_limits = nil
  cap_rate('', limits_of_shard())
  ring_for(moment())
end

-- The limits of the queue have changed: starts to look at all keys again that they hold back. Unless the even share of the shard is still this one, the share
-- that a round has lent ends, and the round under way moves none here.
local function limits_changed(even)
  redis.call('HSET', limits, 'again', 'blocked||')
  shard_limits = nil
  if limits_of_shard().even ~= even then
    redis.call('HDEL', limits, 'lent', 'round')
  end
  shard_changed()
end
