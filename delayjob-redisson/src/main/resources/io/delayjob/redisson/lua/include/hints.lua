--- @keys facts hints
-- A job that a node has no handler for waits until it is offered again some seconds later. So that a node with the handler finds it
-- sooner, and what waits can be counted, the set `hints` has a hint for it: the job's name, its due time in 15 digits and its id,
-- separated by zero bytes. The name is empty if the node could not read the record because its format is newer. All hints have the
-- score 0, so that those of a name are together and ordered by due time. A hint may be out of date: the job no longer waits, or has
-- got another due time.
local function in_digits(due)
  return string.rep('0', 15 - #due) .. due
end

-- leave_hint(names, name, due, id): adds a hint and, if it is new, adds its name to the names that nodes are told of.
local function leave_hint(names, name, due, id)
  if redis.call('ZADD', hints, 0, name .. '\0' .. in_digits(due) .. '\0' .. id) == 1 and not names[name] then
    names[name] = true
    names[#names + 1] = name
  end
end

-- tell(channel, shard, names): wakes the nodes that have a handler for one of these names. If the Redis user may not publish, they
-- find the hints with a later claim.
local function tell(channel, shard, names)
  if #names > 0 then
    redis.pcall('PUBLISH', channel, shard .. '\n' .. table.concat(names, '\n'))
  end
end

-- hinted(hint): the id and facts of the job of a hint; nil if the hint is out of date.
local function hinted(hint)
  local due, id = string.match(hint, '^[^%z]*%z(%d+)%z(.+)$')
  local fact = unpack_facts(id and redis.call('HGET', facts, id))
  if id and fact.since ~= '' and fact.due ~= '' and in_digits(fact.due) == due and waits_until(id) then
    return id, fact
  end
end

-- prune_hints(at): examines up to 100 hints, different ones each time, and removes those that are out of date.
local function prune_hints(at)
  local count = redis.call('ZCARD', hints)
  local from = count > 100 and at % count or 0
  for _, hint in ipairs(count > 0 and redis.call('ZRANGE', hints, from, from + 99) or {}) do
    if not hinted(hint) then
      redis.call('ZREM', hints, hint)
    end
  end
end
