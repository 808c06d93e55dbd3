-- Stores new jobs, which then wait until they are due. A job whose id exists is not changed. If a dedupe key is taken, the mode of
-- the new job decides between it and the job that holds the key.
--
-- ARGV  1 number of the call; then for each job (at most 200)
--       id
--       when: ms from now, or @ and ms since 1970
--       terms as in include/terms.lua, or empty; most jobs have none
--       the record's JSON after its opening fields
-- A call without jobs asks for the outcome of the call with that number. It gets that call's answer, or an empty one if the call
-- has not run, which then never has an effect.
-- Returns one code for each job: S stored, E the id exists, K the first was kept, R it was replaced, P it was postponed, J it comes
--         too late and is left to the journal, U the id points to another shard, or its pointer does not count any more; then, for each K
--         and P, a line feed and the id of the first.
-- Cost  O(log waiting) for each job.
--- @keys jobs
--- @optional facts errors progress dedupe windows fence index marks revoked
--- @include check
--- @include reserved
--- @include memo
--- @include waiting
--- @include now
--- @include steps
local answer, packed = recall(ARGV[1])
if answer then
  return answer
elseif #ARGV == 1 then
  return remember(ARGV[1], '')
end
local bound = packed and open_log(packed)
if bound then
  --- @include room
  check_room(bound)
end

--- @include marks
local ids, have_terms, have_marks = {}, used_keys ~= '', false
for i = 2, #ARGV, 4 do
  ids[#ids + 1] = ARGV[i]
  have_terms = have_terms or ARGV[i + 2] ~= ''
  have_marks = have_marks or marks_of(ARGV[i + 3])
end
local known, exists, changed = checked('HMGET', jobs, unpack(ids)), {}, {}
for n = 1, #ids do
  -- A record alone is not a job: it is left by a submit that could not finish because its user lacks permissions.
  if known[n] then
    --- @include exists
    exists[ids[n]] = job_exists(ids[n])
  end
end
local at, pointed = now(), nil
--- @include pointed
--- @include store
local add_on_terms, end_terms
if have_terms then
  --- @include facts
  --- @include dedupe
  --- @include expire
  --- @include fence
  --- @include permit
  --- @include ring
  --- @include use_level
  --- @include use_key
  --- @include old_lane
  check_keys()
  --- @include terms
  for i = 4, #ARGV, 4 do
    if ARGV[i] ~= '' then
      local _, _, _, priority, lane = terms_of(ARGV[i])
      use_level(priority or '')
      use_key(lane or '')
    end
  end
elseif have_marks then
  check_keys()
end

local codes, others, first, first_due = {}, '', nil, math.huge
for n = 1, #ids do
  local i = 4 * n - 1
  local id, when, terms, body = ids[n], ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local delay = tonumber(when)
  local due = delay and at + delay or tonumber(string.sub(when, 2))
  local is_pointed = pointed and pointed[n]
  if terms ~= '' then
    local code, other = add_on_terms(id, due, body, terms, is_pointed)
    codes[n], others = code, other and others .. '\n' .. other or others
  elseif is_pointed then
    codes[n] = 'U'
  elseif exists[id] or changed[id] then
    codes[n] = 'E'
    if steps then
      note('REFUSE', '-', id, nil, nil, id)
    end
  else
    codes[n], changed[id] = 'S', true
    store(id, due, body)
    if due < first_due then
      first, first_due = #dues, due
    end
  end
end
if have_terms then
  flush()
  end_terms()
else
  local rings = false
  if first and count_waiting(dues[first - 1]) == 0 then
    --- @include needs_ring
    rings = needs_ring(first_due)
  end
  flush()
  if rings then
    redis.call('RPUSH', ready, dues[first])
  end
end
answer = remember(ARGV[1], table.concat(codes) .. others)
if steps then
  close_log()
end
return answer
