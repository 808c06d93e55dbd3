-- Stores jobs that do not exist, as they were. Of one whose id exists or points to another shard, nothing is changed.
--
-- ARGV  1 number of the call
--       2 the permit, term:calls, which is for one call; then for each job (at most 200)
--       id
--       code of its state: D it waits, X it is dead
--       due time or time of death, ms since 1970
--       place, ms since 1970, see include/waiting.lua and include/dead.lua; or empty
--       attempts begun
--       lease, ms, or empty
--       priority, 0 to 9 but 4, or empty
--       key, as in include/facts.lua, or empty
--       dedupe: mode|scope|key as in a submit, or empty; the job gets the key back if it would still hold it and no other job does
--       pointer of its id, if that belongs to another shard, see include/pointers.lua; or empty
--       error, or empty
--       the whole record
-- Returns one character for each job: 1 stored, 0 the id exists, points to another shard, or shows a pointer that does not count any more; nothing if the
--         permit is not valid: another restore has begun since, the data is not the data that it began with, or the call came before and its memo has expired.
-- Cost  O(log waiting) for each job.
--- @keys jobs facts errors restores
--- @include check
--- @include reserved
--- @include memo
--- @include waiting
--- @include now
--- @include steps
--- @include room
--- @include once
--- @include facts
--- @include dedupe
--- @include dead
--- @include exists
--- @include marks
--- @include index
--- @include ring
--- @include use_level
--- @include use_key
--- @include pointers
local number, permit = ARGV[1], ARGV[2]

check_keys()

-- Gives a job its key back. A window began when the job was submitted, which its record says.
local function take_again(id, scope, key, code, attempt, record, at)
  local window = tonumber(scope)
  local from = window and (tonumber(string.match(record, '^{"v":%d+,"at":(%d+)[,}]')) or 0) or at
  local holds
  if window then
    holds = from + window > at
  else
    holds = code == 'D' and (scope == 'f' or attempt == 0)
  end
  if holds and not first_of(key, at) then
    take(key, id, scope, from)
  end
end

local function put_back(id, code, due, place, attempt, lease, priority, lane, dedupe_text, why, record, at)
  local scope, key = string.match(dedupe_text, '^.|(%w+)|(.*)$')
  if key then
    take_again(id, scope, key, code, attempt, record, at)
  end
  redis.call('HSET', jobs, id, record)
  redis.call('HDEL', facts, id)
  local all = marks_of(record)
  if all then
    add_marks({ id, all })
  end
  if attempt > 0 or lease .. priority .. lane ~= '' or key then
    local fact = unpack_facts(new_facts(lease, priority, lane, key or ''))
    fact.attempt = attempt
    redis.call('HSET', facts, id, pack_facts(fact))
  end
  if why ~= '' then
    redis.call('HSET', errors, id, why)
  end
  if code == 'X' then
    restore_dead(due, id, place)
  else
    restore_waiting(due, id, place)
  end
end

return once(number, function(bound)
  check_room(bound)
  if redis.call('MGET', restores)[1] ~= permit then
    return ''
  end
  local term, calls = string.match(permit, '^(%x+):(%d+)$')
  for i = 9, #ARGV, 12 do
    use_level(ARGV[i])
    use_key(ARGV[i + 1])
  end
  redis.call('SET', restores, string.format('%s:%.0f', term, tonumber(calls) + 1))
  local at, ids, pointed = now(), {}, nil
  for i = 3, #ARGV, 12 do
    ids[#ids + 1] = ARGV[i]
  end
  --- @include is_revoked
  --- @include pointed
  local answer, changed = {}, {}
  for i = 3, #ARGV, 12 do
    local id, code, due, place, attempt, lease, priority, lane, dedupe_text, shown, why, record = unpack(ARGV, i, i + 11)
    local exists = job_exists(id) or pointed and pointed[#answer + 1] or shown ~= '' and is_revoked(shown)
    answer[#answer + 1] = exists and '0' or '1'
    if not exists then
      put_back(id, code, due, place, tonumber(attempt), lease, priority, lane, dedupe_text, why, record, at)
      changed[id] = true
      if steps then
        note('RESTORE', code, id, attempt, due, why)
        add_field('place', place)
        add_field('lease', lease)
        add_field('priority', priority)
        add_field('dedupe', dedupe_text)
        add_field('record', record)
      end
    end
  end
  ring(changed)
  return table.concat(answer)
end)
