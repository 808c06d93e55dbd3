--- @keys waiting reserved dead finished outcomes
-- Where a job stands, as one letter:
--   D DELAYED  Y READY  R RESERVED  X DEAD  C COMPLETED  O CANCELLED  - no such job
-- An answer to an action on a job is the letter of the state it was in if the action was done, and else, in lower case, the letter
-- of the state that refused it.
--
-- state_of(id, at): the letter, and the score that goes with it. A finished job is
-- seen only where there is no unfinished one of its id.
local function state_of(id, at)
  local score = redis.call('ZSCORE', waiting, id)
  if score then
    return tonumber(score) <= at and 'Y' or 'D', score
  end
  score = redis.call('ZSCORE', reserved, id)
  if score then
    return 'R', score
  end
  score = redis.call('ZSCORE', dead, id)
  if score then
    return 'X', score
  end
  score = redis.call('ZSCORE', finished, id)
  if score then
    return string.sub(redis.call('HGET', outcomes, id) or '', 1, 7) == 'state=O' and 'O' or 'C', score
  end
  return '-'
end
