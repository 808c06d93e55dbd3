-- page(set, skip, after, after_id, most): ids and scores, one after the other, of the members of a set that follow a position, whether a
-- member with that score and id exists or not: at most `most`. An empty score is the position before all. It leaves out the first `skip`
-- members of the set.
-- whole(score): a score as positions contain it.
local function whole(score)
  return string.format('%.0f', math.max(-9e15, math.min(9e15, math.floor(tonumber(score)))))
end

-- Ids are compared by bytes, as Redis does in the set, because Lua's own comparison depends on the locale.
local function at_or_before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then
      return x < y
    end
  end
  return #a <= #b
end

-- How many members are at or before a position. A member that still exists is found by its rank, because its score need not be a whole
-- number.
local function up_to(set, score, id)
  local its = redis.call('ZSCORE', set, id)
  if its and whole(its) == score then
    return redis.call('ZRANK', set, id) + 1
  end
  local low = redis.call('ZCOUNT', set, '-inf', '(' .. score)
  local high = redis.call('ZCOUNT', set, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if at_or_before(redis.call('ZRANGE', set, middle, middle)[1], id) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

local function page(set, skip, after, after_id, most)
  local first = math.max(skip, after == '' and 0 or up_to(set, after, after_id))
  return redis.call('ZRANGE', set, first, first + most - 1, 'WITHSCORES')
end
