--- @keys memo
-- A lane of a node sends its calls one after the other, numbered, and repeats one whose reply was lost. The memo keeps the
-- number and the answer of the last call that ran, so that
--   once(number, step)        runs a step that answers a string, or gives a repeat the first answer;
--   recall(number)            returns that answer to a repeat, nil to a new call, and fails one that was overtaken
--                                   (its sender has moved on: running it now would act for nobody);
--   remember(number, answer)  keeps the answer for ten minutes and returns it.
-- A repeat makes the memo last as long again. That is a write: a replica that acknowledges it has all that was written before,
-- the first try included, and a master that has become a replica refuses it.
-- What no call can have left there, because it is no memo or is kept for longer, does not count.
local KEPT = 600000

local function recall(number)
  local last, answer = string.match(redis.call('GET', memo) or '', '^(%d+)|(.*)$')
  local ahead = last and tonumber(last) - tonumber(number) or -1
  if ahead > 0 then
    local left = redis.call('PTTL', memo)
    if left >= 0 and left <= KEPT then
      error('DELAYJOB call ' .. number .. ' was overtaken by call ' .. last)
    end
  end
  if ahead ~= 0 then
    return nil
  end
  redis.call('PEXPIRE', memo, KEPT)
  return answer
end

local function remember(number, answer)
  redis.call('SET', memo, number .. '|' .. answer, 'PX', KEPT)
  return answer
end

local function once(number, step)
  return recall(number) or remember(number, step())
end
