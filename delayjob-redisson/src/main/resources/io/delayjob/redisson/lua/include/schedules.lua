--- @keys fires
--- @include instants
-- The changing part of a schedule is one value of the hash `fires`, with named fields:
--   version=|next=|last=|since=|paused=|fired=|skipped=|deaths=|held=|job=
--   version  grows with each edit and each resume, so that a proposal which was made before has no effect
--   next     ms; its next instant; empty if none follows
--   last     ms; the last instant that was decided: it fired or was skipped; empty before the first
--   since    ms; when it was resumed last; no instant up to then fires; 0 before
--   paused   1 while it is paused, else empty
--   fired    how many occurrences it has stored
--   skipped  how many instants were skipped
--   deaths   how many occurrences in a row were dead when the next one fired, of schedules that pause themselves; -1 since it did so, so that
--            the last one does not count again; only there if not 0
--   held     ms; instants up to then were served in time, and wait for the occurrence before unless they were decided; only there if not 0
--   job      the id of its last occurrence; empty before the first; the last field, which may contain any character
-- Another release may add fields between skipped and job, each as |name=value, which are kept unchanged.
--
-- unpack_schedule(packed): its fields, numbers as text; nil if it is missing or invalid.
-- write_schedules(changed): stores the changing parts of schedules, by name; a schedule is in the set `instants` while it is to fire. A script that calls it
-- includes include/steps.lua and opens the log: the step has the new value, and the field `definition` if there is one.
-- write_schedule(name, schedule): the same for one.
local SCHEDULE = '^version=(%d+)|next=(%d*)|last=(%d*)|since=(%d*)|paused=(1?)|fired=(%d+)|skipped=(%d+)(.-)|job=(.*)$'

local function unpack_schedule(packed)
  local version, next, last, since, is_paused, fired, skipped, others, job = string.match(packed or '', SCHEDULE)
  local deaths, held
  if others and others ~= '' then
    deaths, held = string.match(others, '|deaths=(%-?%d+)'), string.match(others, '|held=(%d+)')
    others = string.gsub(string.gsub(others, '|deaths=%-?%d+', ''), '|held=%d+', '')
  end
  return version and {
    version = version,
    next = next,
    last = last,
    since = since,
    paused = is_paused,
    fired = fired,
    skipped = skipped,
    deaths = tonumber(deaths) or 0,
    held = tonumber(held) or 0,
    others = others,
    job = job,
  }
end

local function pack_schedule(schedule)
  return 'version=' .. schedule.version .. '|next=' .. schedule.next .. '|last=' .. schedule.last .. '|since='
    .. schedule.since .. '|paused=' .. schedule.paused .. '|fired=' .. schedule.fired .. '|skipped=' .. schedule.skipped
    .. (schedule.deaths ~= 0 and '|deaths=' .. schedule.deaths or '')
    .. (schedule.held ~= 0 and string.format('|held=%.0f', schedule.held) or '') .. schedule.others .. '|job=' .. schedule.job
end

local function write_schedules(changed)
  local parts, coming, ended = {}, {}, {}
  for name, schedule in pairs(changed) do
    local packed = pack_schedule(schedule)
    parts[#parts + 1], parts[#parts + 2] = name, packed
    if schedule.next ~= '' and schedule.paused == '' then
      coming[#coming + 1], coming[#coming + 2] = schedule.next, name
    else
      ended[#ended + 1] = name
    end
    if steps then
      note('SCHEDULE', '-', name)
      add_field('schedule', packed)
      add_field('definition', schedule.definition)
    end
  end
  if #parts > 0 then
    redis.call('HSET', fires, unpack(parts))
  end
  if #coming > 0 then
    redis.call('ZADD', instants, unpack(coming))
  end
  if #ended > 0 then
    redis.call('ZREM', instants, unpack(ended))
  end
end

local function write_schedule(name, schedule)
  write_schedules({ [name] = schedule })
end
