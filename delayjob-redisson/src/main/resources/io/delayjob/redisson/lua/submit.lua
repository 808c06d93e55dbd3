-- Stores new jobs, which then wait until they are due. A job whose id exists is not changed. If a dedupe key is taken, the mode of
-- the new job decides between it and the job that holds the key.
--
-- ARGV  1 number of the call; then for each job (at most 200)
--       id
--       when: +ms from now, or @ms since 1970
--       lease, ms, or empty
--       dedupe: mode|scope|key, or empty; mode is k to keep the first job, r to replace it, p to postpone it: rewrite it under its id;
--       scope is s until started, f until finished, or the ms of a window
--       permit|tag if a journal has the job, see include/permit.lua; or empty
--       the record's JSON after its opening fields
-- A call without jobs asks for the outcome of the call with that number. It gets that call's answer, or an empty one if the call
-- has not run, which then never has an effect.
-- Returns one code for each job: S stored, E the id exists, K the first was kept, R it was replaced, P it was postponed, J it comes
--         too late and is left to the journal; then, for each K and P, a line feed and the id of the first.
-- Cost  O(log waiting) for each job.
--- @keys jobs facts errors progress
--- @include check
--- @include waiting
--- @include reserved
--- @include memo
--- @include now
--- @include steps
--- @include room
--- @include once
--- @include facts
--- @include dedupe
--- @include expire
--- @include exists
--- @include store
--- @include fence
--- @include permit
--- @include ring
local number = ARGV[1]

check_keys()

return once(number, function(bound)
  local ids, keyed, exists, changed = {}, 0, {}, {}
  for i = 2, #ARGV, 6 do
    ids[#ids + 1] = ARGV[i]
    keyed = keyed + (ARGV[i + 3] == '' and 0 or 1)
  end
  if #ids == 0 then
    return ''
  end
  check_room(bound)
  for n, record in ipairs(redis.call('HMGET', jobs, unpack(ids))) do
    -- A record alone is not a job: it is left by a submit that could not finish because its user lacks permissions.
    if record then
      exists[ids[n]] = job_exists(ids[n])
    end
  end
  local at = now()
  local store, flush = storing(at)
  local is_late, use_permit = permits()

  local function add(id, due, lease, key, body, given, tag)
    changed[id] = true
    store(id, due, lease, key, body, given, tag)
    return 'S'
  end

  -- The job that stands in the way of another one stays as it is.
  local function refuse(id, other, tag)
    if steps then
      note('REFUSE', '-', id, nil, nil, other)
      add_field('tag', tag)
    end
  end

  -- Removes what the new job has not overwritten of the first job of a key.
  local function remove(first, id)
    if first ~= id then
      exists[first], changed[first] = nil, nil
      redis.call('HDEL', jobs, first)
      remove_waiting(first)
      redis.call('HDEL', facts, first)
    end
    redis.call('HDEL', errors, first)
    redis.call('HDEL', progress, first)
  end

  -- Writes the job at once, because the next job of this call may have the same key.
  local function add_keyed(id, due, lease, mode, scope, key, body, given, tag)
    local first, fresh = first_of(key, at)
    local replaces, postpones = fresh and mode == 'r', fresh and mode == 'p'
    if (exists[id] or changed[id]) and not (replaces and first == id) then
      refuse(id, id, tag)
      return 'E'
    elseif first and not replaces and not postpones then
      refuse(id, first, tag)
      return 'K', first
    end
    local stays = postpones and first or id
    if steps and replaces and first ~= id then
      note('REPLACE', 'O', first, nil, nil, id)
    end
    local code = add(stays, due, lease, key, body, given, not postpones and tag)
    if postpones then
      refuse(id, first, tag)
    end
    flush()
    take(key, stays, scope, at)
    if replaces or postpones then
      remove(first, stays)
    end
    return postpones and 'P' or replaces and 'R' or code, postpones and first or nil
  end

  local codes, firsts = {}, {}
  for n, id in ipairs(ids) do
    local _, when, lease, key, journaled, body = unpack(ARGV, 6 * n - 4, 6 * n + 1)
    local permit, tag = string.match(journaled, '^(.*)|(%d+)$')
    local ms = tonumber(string.sub(when, 2))
    local due = string.sub(when, 1, 1) == '+' and at + ms or ms
    if permit and is_late(permit) then
      codes[n] = 'J'
    elseif key == '' and (exists[id] or changed[id]) then
      refuse(id, id, tag)
      codes[n] = 'E'
    elseif key == '' then
      codes[n] = add(id, due, lease, '', body, '', tag)
    else
      local mode, scope, name = string.match(key, '^(.)|(%w+)|(.*)$')
      codes[n], firsts[#firsts + 1] = add_keyed(id, due, lease, mode, scope, name, body, key, tag)
    end
  end
  flush()
  use_permit()
  ring(changed)
  if keyed > 0 then
    expire_windows(at, 2 * keyed)
  end
  return table.concat({ table.concat(codes), unpack(firsts) }, '\n')
end)
