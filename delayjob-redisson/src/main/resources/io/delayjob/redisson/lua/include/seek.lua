-- seek(zset, score, id): how many members are at or before that position in the order of the set, whether the member exists or not.
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

local function seek(zset, score, id)
  local low = redis.call('ZCOUNT', zset, '-inf', '(' .. score)
  local high = redis.call('ZCOUNT', zset, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if at_or_before(redis.call('ZRANGE', zset, middle, middle)[1], id) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end
