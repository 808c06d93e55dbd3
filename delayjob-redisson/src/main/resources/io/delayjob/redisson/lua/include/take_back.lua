--- @exports take_back
--- @keys facts hints
-- own_hints(own, most): the first hints of each of a node's names, or of all names, ordered by due time. Hints without a name are of
-- jobs whose records no node can read, and nobody's own.
local function own_hints(own, most)
  local found = {}
  if redis.call('EXISTS', hints) == 1 then
    for name in string.gmatch(own, '[^\n]+') do
      local from, to = '[' .. name .. '\0', '(' .. name .. '\1'
      if own == ANY_JOB then
        from, to = '[\1', '+'
      end
      for _, hint in ipairs(redis.call('ZRANGE', hints, from, to, 'BYLEX', 'LIMIT', 0, most)) do
        found[#found + 1] = { hint = hint, due = tonumber(string.match(hint, '%z(%d+)%z')) or 0, place = #found }
      end
    end
  end
  table.sort(found, function(a, b)
    return a.due < b.due or a.due == b.due and a.place < b.place
  end)
  return found
end

-- take_back(own, most): restores the due time of jobs that were passed on to a node with these names, at most `most` of them.
-- Returns whether there are more.
function take_back(own, most)
  local found = own_hints(own, most + 1)
  for i = 1, math.min(#found, most) do
    local id, fact = hinted(found[i].hint)
    redis.call('ZREM', hints, found[i].hint)
    if id then
      fact.since = ''
      redis.call('HSET', facts, id, pack_facts(fact))
      return_waiting(fact.due, id)
      if steps then
        note('TAKE_BACK', 'D', id, fact.attempt, fact.due)
        add_field('place', place_of_returning(fact, fact.due))
      end
    end
  end
  return #found > most
end
