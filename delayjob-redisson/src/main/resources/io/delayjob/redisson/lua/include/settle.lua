--- @keys reserved facts
-- settle(width, move): ends the claims that ARGV names from the second argument on, `width` arguments each: id,
-- token, and what the script adds. Where the claim still holds the job, move(fact, i) changes what it must of the facts, `lost`
-- included, and returns the set the job goes to and its score there; i is where the arguments of the job begin.
-- Returns one character for each job, 1 moved or 0 not held, and the set of the ids that moved.
local function settle(width, move)
  go_on_when_full(reserved)
  local answer, moved = {}, {}
  for i = 2, #ARGV, width do
    local id, token = ARGV[i], ARGV[i + 1]
    local packed = redis.call('HGET', facts, id)
    local held = owns(packed, token)
    if held then
      local fact = unpack_facts(packed)
      fact.token, fact.node = '', ''
      local place, score = move(fact, i)
      redis.call('HSET', facts, id, pack_facts(fact))
      redis.call('ZADD', place, string.format('%.0f', score), id)
      redis.call('ZREM', reserved, id)
      moved[id] = true
    end
    answer[#answer + 1] = held and '1' or '0'
  end
  return table.concat(answer), moved
end
