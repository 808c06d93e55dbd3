--- @keys dead finished outcomes
-- The state of a job, as a code of one letter:
--   D DELAYED  Y READY  R RESERVED  X DEAD  C COMPLETED  O CANCELLED  - no such job
-- The answer to an action on a job is the code of the state the job was in, in lower case if the action was not possible in that
-- state.
--
-- state_of(id, at): the code, and the score that goes with it. A finished job is found only if no unfinished job has its id.
local function state_of(id, at)
  local score = waits_until(id)
  if score then
    return tonumber(score) <= at and 'Y' or 'D', score
  end
  score = reserved_until(id)
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
