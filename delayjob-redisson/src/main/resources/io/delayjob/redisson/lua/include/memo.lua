--- @keys memo journal
--- @include levels
-- A lane of a node sends numbered calls one at a time, and repeats a call whose reply was lost. The memo keeps the number and
-- answer of the last call that ran:
--   recall(number)            returns the kept answer to a repeat and nil to a new call; fails a call that was overtaken
--                                   (its sender has moved on, so nobody wants its effect any more); and the value of `journal`, which
--                                   the same command reads, which also reads `levels`;
--   remember(number, answer)  keeps an answer for ten minutes and returns it.
-- A repeat extends the memo by another ten minutes. That is a write: a replica that acknowledges it has everything that was written
-- before, including the first try, and a master that has become a replica refuses it. A value that no call can have left, because
-- it is not a memo or is kept for longer, is ignored.
local KEPT = '600000'

local function recall(number)
  local kept, packed, packed_levels = unpack(redis.call('MGET', memo, journal, levels), 1, 3)
  --- @include know_levels
  if not kept then
    -- MGET finds nothing in a key of another type; GET fails.
    checked('GET', memo)
  end
  local last, answer = string.match(kept or '', '^(%d+)|(.*)$')
  local ahead = last and tonumber(last) - tonumber(number) or -1
  if ahead > 0 then
    local left = redis.call('PTTL', memo)
    if left >= 0 and left <= tonumber(KEPT) then
      error('DELAYJOB call ' .. number .. ' was overtaken by call ' .. last)
    end
  end
  if ahead ~= 0 then
    return nil, packed
  end
  redis.call('PEXPIRE', memo, KEPT)
  return answer, packed
end

local function remember(number, answer)
  redis.call('SET', memo, number .. '|' .. answer, 'PX', KEPT)
  return answer
end
