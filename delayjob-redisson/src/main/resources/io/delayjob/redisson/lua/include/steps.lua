--- @keys journal flow
-- The flow log of a shard, while the key `journal` exists: the stream `flow` has one entry for each call that changed jobs. The value of
-- `journal` is the most entries that the log may have. An entry consists of these fields, in this order:
--   at       ms by Redis' clock
--   then for each run of steps of one kind
--     step   the kind, in capitals
--     state  of the jobs after the step, a code (see include/state.lua) with D for Y, or - for no such job, of a SCHEDULE, of LIMITS and of a PAUSE
--     fields that all these steps have; then for each step
--       id     the job, and behind it the fields that only this step has:
--       attempt, due or died (ms), place (ms, see include/waiting.lua), node, text, tag (which submit of the journal it was), and of a stored job
--       dedupe (as submitted), lease, priority and record; of a SCHEDULE, whose id is its name, schedule (as include/schedules.lua has it; none if it was removed)
--       and definition (if that is new); of LIMITS and a PAUSE, whose id is the key or empty, text (the limits, and on the next line
--       those of each key, in the form of include/lanes.lua; 1 if it is paused; none if they were cleared, or it was resumed)
-- A missing attempt is 0, any other missing field is empty. Readers ignore fields that they do not know, so that another release may
-- add some.
--
-- open_log(packed): begins the entry of a call; `packed` is the value of `journal` if it is known. It comes before the first write,
-- because it fails if `flow` has the wrong type. Returns the most entries of the log; nil if there is no log, or the value is invalid.
-- The following are nil unless there is a log, so that other queues do not pay for them; use them under `if steps then`:
-- steps: the fields of the entry that the call is making.
-- note(kind, state, id, attempt, due, text): adds a step; what is nil or empty is left out. Of a dead job, `due` is when it died.
-- add_field(name, value): adds a field to the last step, unless it is empty.
-- begin_run(kind, state): begins a run of steps, to which add_field adds what all of them have.
-- close_log(): writes the entry.
local steps, note, add_field, begin_run, close_log

local function open_log(packed)
  if packed == nil then
    packed = redis.call('MGET', journal)[1]
  end
  local bound = packed and #packed <= 15 and string.find(packed, '^%d+$') and tonumber(packed)
  if not bound then
    return nil
  end
  check_key(flow, 'stream')
  local last, run, run_state = 0, nil, nil
  steps = {}

  add_field = function(name, value)
    if value and value ~= '' then
      steps[last + 1], steps[last + 2] = name, value
      last = last + 2
    end
  end

  begin_run = function(kind, state)
    run, run_state = kind, state
    steps[last + 1], steps[last + 2], steps[last + 3], steps[last + 4] = 'step', kind, 'state', state
    last = last + 4
  end

  note = function(kind, state, id, attempt, due, text)
    if run ~= kind or run_state ~= state then
      begin_run(kind, state)
    end
    steps[last + 1], steps[last + 2] = 'id', id
    last = last + 2
    add_field('attempt', attempt)
    add_field(state == 'X' and 'died' or 'due', due)
    add_field('text', text)
  end

  close_log = function()
    if last > 0 then
      redis.call('XADD', flow, '*', 'at', string.format('%.0f', (now())), unpack(steps))
    end
  end
  return bound
end
