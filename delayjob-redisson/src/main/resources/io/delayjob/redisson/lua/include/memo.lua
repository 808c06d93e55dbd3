-- A lane of a node sends its calls one after the other, numbered, and repeats one whose reply was lost. The memo keeps the
-- number and the answer of the last call that ran, so that
--   once(memo, number, step)        runs a step that answers a string, or gives a repeat the first answer;
--   recall(memo, number)            returns that answer to a repeat, nil to a new call, and fails one that was overtaken
--                                   (its sender has moved on: running it now would act for nobody);
--   remember(memo, number, answer)  keeps the answer for ten minutes and returns it.
-- A repeat makes the memo last as long again. That is a write: a replica that acknowledges it has all that was written before,
-- the first try included, and a master that has become a replica refuses it.
local MEMO_TIME = 600000

local function recall(memo, number)
  local kept = redis.call('GET', memo)
  if not kept then
    return nil
  end
  local bar = string.find(kept, '|', 1, true)
  local last = tonumber(string.sub(kept, 1, bar - 1))
  if last > tonumber(number) then
    error('DELAYJOB call ' .. number .. ' was overtaken by call ' .. last)
  end
  if last == tonumber(number) then
    redis.call('PEXPIRE', memo, MEMO_TIME)
    return string.sub(kept, bar + 1)
  end
  return nil
end

local function remember(memo, number, answer)
  redis.call('SET', memo, number .. '|' .. answer, 'PX', MEMO_TIME)
  return answer
end

local function once(memo, number, step)
  return recall(memo, number) or remember(memo, number, step())
end
