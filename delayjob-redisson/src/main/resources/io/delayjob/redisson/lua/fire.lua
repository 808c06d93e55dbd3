-- Decides instants of schedules: stores the occurrence of an instant as a job, or skips instants, and moves the schedule to its next
-- instant. An instant is decided once: a proposal has no effect unless its instant is later than the last that was decided. So a
-- repeat changes nothing.
--
-- ARGV  for each proposal (at most 200), those of one schedule in the order of their instants:
--       name
--       version of the schedule that the proposal was made for
--       instant, ms; of skipped instants the last
--       the instant that follows, ms; empty if none does
--       why the instants are skipped, in capitals; empty to fire
--       how many instants are skipped; 1 to fire
--       if the occurrence before it is not over, because it waits or is reserved: O to skip the instant, W to let it wait, empty to
--       store it all the same
--       how many occurrences in a row may be dead: then the instant is skipped, and the schedule paused; 0 for any number
--       the latest instant that has come, ms: if this one waits, all up to that one are held; 0 to skip
--       id, due time, ms, lease, ms or empty, priority, 0 to 9 but 4 or empty, key as in include/facts.lua or empty, and the record's JSON after
--       its opening fields, of the
--       occurrence
-- Returns one code for each proposal, a bar, and ms until the next instant of any schedule, -1 if there is none.
--         S stored, K skipped as proposed, O skipped because the occurrence before is not over, E skipped because its id exists,
--         T skipped, and the schedule paused, because too many occurrences in a row are dead;
--         W waits for the occurrence before, which is not over, and is due again after a second;
--         and without effect: D was decided before, V there is another version, P paused, N its time has not come or
--         the journal has not compared for long, see include/compared.lua, G no such schedule.
-- The hash `decisions` keeps the last 50 decisions of a schedule, one per line, the latest last: the instant, how many instants up to
-- it, why they were skipped (empty if it fired) and the id of the occurrence, with bars between them.
-- Cost  O(log waiting + log schedules) for each proposal.
--- @keys jobs facts decisions
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include now
--- @include steps
--- @include room
--- @include compared
--- @include facts
--- @include exists
--- @include use_level
--- @include use_key
--- @include ring
--- @include schedules
local FIELDS, KEPT, AGAIN = 15, 50, 1000

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels

local bound = open_log()
if bound then
  check_room(bound)
end
local at = now()
local waits = awaits_journal(redis.call('MGET', compared)[1], at)
--- @include store
-- Schedules by name, the ids of jobs that have a record, and the last decisions of schedules: all are read at once.
local known, recorded, changed, written, lines, waiting_again = {}, {}, {}, {}, {}, {}

local function read_schedules()
  local names, ids, seen = {}, {}, {}
  for i = 1, #ARGV, FIELDS do
    local name, id = ARGV[i], ARGV[i + 9]
    if not seen[name] then
      seen[name], names[#names + 1] = true, name
    end
    ids[#ids + 1] = id ~= '' and id or nil
  end
  local history = redis.call('HMGET', decisions, unpack(names))
  for n, packed in ipairs(redis.call('HMGET', fires, unpack(names))) do
    local schedule = unpack_schedule(packed)
    known[names[n]], lines[names[n]] = schedule, history[n] or ''
    ids[#ids + 1] = schedule and schedule.job ~= '' and schedule.job or nil
  end
  for n, record in ipairs(#ids > 0 and redis.call('HMGET', jobs, unpack(ids)) or {}) do
    recorded[ids[n]] = record
  end
end

-- A job without a record is none.
local function is_over(id)
  return not (changed[id] or recorded[id] and (waits_until(id) or reserved_until(id)))
end

-- How many occurrences in a row are dead, with the one before this.
local function deaths_with_last(schedule)
  if schedule.job ~= '' and checked('ZSCORE', dead, schedule.job) then
    return schedule.deaths + 1
  end
  return schedule.job ~= '' and is_over(schedule.job) and 0 or schedule.deaths
end

local function decide(name, schedule, nominal, next, count, why, id)
  schedule.last, schedule.next, written[name] = nominal, next, schedule
  if why == '' then
    schedule.fired, schedule.job = string.format('%d', schedule.fired + 1), id
  else
    schedule.skipped = string.format('%d', schedule.skipped + count)
  end
  lines[name] = lines[name] .. nominal .. '|' .. count .. '|' .. why .. '|' .. id .. '\n'
end

-- The last decisions in a text.
local function kept_of(text)
  local _, count = string.gsub(text, '\n', '\n')
  for _ = KEPT + 1, count do
    text = string.sub(text, string.find(text, '\n', 1, true) + 1)
  end
  return text
end

read_schedules()
local codes = {}
for i = 1, #ARGV, FIELDS do
  local name, version, nominal, next, why, count, overlap, most, come, id, due, lease, priority, lane, body =
    unpack(ARGV, i, i + FIELDS - 1)
  local schedule, code = known[name], nil
  if not schedule then
    code = 'G'
  elseif schedule.version ~= version then
    code = 'V'
  elseif schedule.last ~= '' and tonumber(nominal) <= tonumber(schedule.last) then
    code = 'D'
  elseif schedule.paused ~= '' then
    code = 'P'
  elseif waits or tonumber(nominal) > at then
    code = 'N'
  else
    most = tonumber(most)
    local deaths = most > 0 and deaths_with_last(schedule) or 0
    if why ~= '' then
      code = 'K'
    elseif overlap ~= '' and schedule.job ~= '' and not is_over(schedule.job) then
      code, why, id = overlap, 'OVERLAP', schedule.job
    elseif most > 0 and deaths >= most then
      code, why, id = 'T', 'DEATHS', schedule.job
      schedule.paused, schedule.deaths = '1', -1
    elseif changed[id] or recorded[id] and job_exists(id) then
      code, why = 'E', 'EXISTS'
    else
      code, changed[id], schedule.deaths = 'S', true, math.max(deaths, 0)
      use_level(priority)
      use_key(lane)
      local own = lease .. priority .. lane ~= '' and new_facts(lease, priority, lane, '', take_seat(id, lane, due))
      store(id, tonumber(due), body, { facts = own, lease = lease, priority = priority })
    end
    if code == 'W' then
      waiting_again[#waiting_again + 1], waiting_again[#waiting_again + 2] = at + AGAIN, name
      if tonumber(come) > schedule.held then
        schedule.held, written[name] = tonumber(come), schedule
      end
    else
      decide(name, schedule, nominal, next, count, why, id)
    end
  end
  codes[#codes + 1] = code
end
flush()
write_schedules(written)
if #waiting_again > 0 then
  redis.call('ZADD', instants, unpack(waiting_again))
end
local told = {}
for name in pairs(written) do
  told[#told + 1], told[#told + 2] = name, kept_of(lines[name])
end
if #told > 0 then
  redis.call('HSET', decisions, unpack(told))
end
ring(changed)
if steps then
  close_log()
end
return table.concat(codes) .. '|' .. ms_to_instant(at)
