--- @keys errors progress
--- @include forget
--- @include pointers
--- @include is_revoked
-- Stores the jobs of a submit that have terms: lease|permit|tag|priority|lane|pointer|dedupe, each empty for none
--   lease   its own, ms
--   permit  if a journal has the job, see include/permit.lua
--   tag     which submit of the journal it was
--   priority  its own, 0 to 9 but 4
--   lane    its key, as in include/facts.lua
--   pointer  that of its id, if that belongs to another shard, see include/pointers.lua; - if another shard has an unfinished job of the id
--   dedupe  mode|scope|key; mode is k to keep the first job, r to replace it, p to postpone it: rewrite it under its id; scope is s
--           until started, f until finished, or the ms of a window
--
-- add_on_terms(id, due, body, packed, is_pointed): stores a job, unless it is late, its id points to another shard or another job stands in its way.
-- Returns its code in the answer and, for K and P, the id of the other job.
-- end_terms(): comes after all jobs are written.
-- terms_of(packed): the seven terms; most jobs with terms have only a key.
local function terms_of(packed)
  if string.sub(packed, 1, 4) == '||||' then
    return '', '', '', '', string.match(packed, '^([^|]*)|([^|]*)|(.*)$', 5)
  end
  return string.match(packed, '^(%d*)|([^|]*)|(%d*)|(%d?)|([^|]*)|([^|]*)|(.*)$')
end

local is_late, use_permit = permits()
local keyed = 0

-- Collects a job; returns its code.
local function add(id, due, body, terms)
  changed[id] = true
  store(id, due, body, terms)
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
    remove_waiting(first)
    forget({ first })
  else
    redis.call('HDEL', errors, first)
    redis.call('HDEL', progress, first)
  end
end

-- Writes the job at once, because the next job of this call may have the same key.
local function add_keyed(id, due, body, lease, tag, priority, lane, given)
  local mode, scope, key = string.match(given, '^(.)|(%w+)|(.*)$')
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
  local facts_before = first == stays and lane_facts(first)
  if steps and replaces and first ~= id then
    note('REPLACE', 'O', first, nil, nil, id)
  end
  local terms = {
    facts = new_facts(lease, priority, lane, key, take_seat(stays, lane, due)),
    lease = lease,
    tag = not postpones and tag,
    priority = priority,
    dedupe = given,
  }
  local code = add(stays, due, body, terms)
  if postpones then
    refuse(id, first, tag)
  end
  if first == stays then
    overwrite(first)
  end
  flush()
  if facts_before then
    leave_lane(first, facts_before)
  end
  records, dues, news = {}, {}, nil
  take(key, stays, scope, at)
  if replaces or postpones then
    remove(first, stays)
  end
  return postpones and 'P' or replaces and 'R' or code, postpones and first or nil
end

add_on_terms = function(id, due, body, packed, is_pointed)
  local lease, permit, tag, priority, lane, pointer, given = terms_of(packed)
  if (permit ~= '' or tag ~= '') and is_late(permit) then
    return 'J'
  elseif pointer == '-' then
    refuse(id, id, tag)
    return 'E'
  elseif is_pointed or pointer ~= '' and is_revoked(pointer) then
    return 'U'
  elseif given ~= '' then
    keyed = keyed + 1
    return add_keyed(id, due, body, lease, tag, priority, lane, given)
  elseif exists[id] or changed[id] then
    refuse(id, id, tag)
    return 'E'
  end
  local own = lease .. priority .. lane ~= '' and new_facts(lease, priority, lane, '', take_seat(id, lane, due))
  return add(id, due, body, { facts = own, lease = lease, tag = tag, priority = priority })
end

end_terms = function()
  use_permit()
  ring(changed)
  if keyed > 0 then
    expire_windows(at, 2 * keyed)
  end
end
