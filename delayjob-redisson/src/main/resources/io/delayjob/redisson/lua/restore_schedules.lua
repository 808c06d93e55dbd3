-- Gives schedules what a journal knows of them. Of two states of a schedule the later one stays: the one with the higher version, of one version
-- the one with the later last instant, of one instant the paused one, because a resume makes another version. It gets the later last
-- instant of both, so that no instant is decided twice.
--
-- ARGV  1 number of the call
--       2 the permit as in restore.lua, to put back what does not exist; empty to change only what exists
--       then for each schedule (at most 200)
--       name
--       its fields, as in include/schedules.lua
--       its definition; empty if it was removed: then it is removed, unless it was put again since
-- Returns one character for each schedule: 1 changed, 0 as it was; nothing if a permit is given and not valid.
-- Cost  O(log schedules) for each schedule.
--- @keys schedules restores
--- @include check
--- @include memo
--- @include now
--- @include steps
--- @include once
--- @include schedules
--- @include remove_schedule
local number, permit = ARGV[1], ARGV[2]

check_keys()

local function last_of(schedule)
  return tonumber(schedule.last) or -1
end

local function is_later(one, other)
  local version, than = tonumber(one.version), tonumber(other.version)
  if version ~= than then
    return version > than
  end
  return last_of(one) > last_of(other) or last_of(one) == last_of(other) and one.paused > other.paused
end

-- Gives a schedule the last instant of another state of it, if that is later, and then a next instant behind that.
local function with_last_of(other, schedule)
  if last_of(other) > last_of(schedule) then
    schedule.last = other.last
    if schedule.next ~= '' and tonumber(schedule.next) <= last_of(schedule) then
      schedule.next = other.next
    end
  end
  return schedule
end

local function restored(name, known, definition)
  local stored = unpack_schedule(redis.call('HGET', fires, name))
  if not known or not stored and (permit == '' or definition == '') then
    return false
  elseif definition == '' then
    return not is_later(stored, known) and remove_schedule(name) == 1
  elseif not stored or is_later(known, stored) then
    redis.call('HSET', schedules, name, definition)
    known.definition = definition
    write_schedule(name, stored and with_last_of(stored, known) or known)
    return true
  elseif last_of(known) > last_of(stored) then
    write_schedule(name, with_last_of(known, stored))
    return true
  end
  return false
end

return once(number, function()
  if permit ~= '' then
    if redis.call('MGET', restores)[1] ~= permit then
      return ''
    end
    local term, calls = string.match(permit, '^(%x+):(%d+)$')
    redis.call('SET', restores, string.format('%s:%.0f', term, tonumber(calls) + 1))
  end
  local codes = {}
  for i = 3, #ARGV, 3 do
    codes[#codes + 1] = restored(ARGV[i], unpack_schedule(ARGV[i + 1]), ARGV[i + 2]) and '1' or '0'
  end
  return table.concat(codes)
end)
