--- @keys hints
-- waits_for_handlers(at): how long, ms, the job has been due that has waited longest for a node with its handler, 0 if none does; and
-- the names that no live node has a handler for, each followed by how many hints it has. The empty name is that of jobs whose records
-- are of a newer format. Looks at the first 100 names, and at no more than 200 hints. A name whose hints are all out of date does not
-- count.
local MOST_NAMES, MOST_HINTS = 100, 200

local function first_hint(from, to)
  return redis.call('ZRANGE', hints, from, to, 'BYLEX', 'LIMIT', 0, 1)[1]
end

-- How many hints a name has: from the rank of its first to that of its last.
local function count_hints(name, first)
  local last = redis.call('ZRANGE', hints, '(' .. name .. '\1', '[' .. name .. '\0', 'BYLEX', 'REV', 'LIMIT', 0, 1)[1]
  return last and redis.call('ZRANK', hints, last) - redis.call('ZRANK', hints, first) + 1 or 0
end

local function waits_for_handlers(at)
  local longest, found, looked = 0, {}, 0

  -- The due time of the job of a name that has waited longest; nil if none waits.
  local function first_due(name, hint)
    while hint and looked < MOST_HINTS do
      looked = looked + 1
      local id, fact = hinted(hint)
      if id then
        return tonumber(fact.due)
      end
      hint = first_hint('(' .. hint, '(' .. name .. '\1')
    end
  end

  local live_names = redis.call('EXISTS', hints) == 1 and live_handlers(at)
  local hint = live_names and first_hint('-', '+')
  for _ = 1, MOST_NAMES do
    if not hint then
      break
    end
    local name = string.match(hint, '^[^%z]*')
    local due = first_due(name, hint)
    longest = math.max(longest, due and at - due or 0)
    if due and (name == '' or not some_have(live_names, name)) then
      found[#found + 1] = name
      found[#found + 1] = count_hints(name, hint)
    end
    hint = first_hint('[' .. name .. '\1', '+')
  end
  return longest, found
end
