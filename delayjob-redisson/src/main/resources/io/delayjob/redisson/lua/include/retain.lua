--- @keys jobs progress finished archive outcomes
-- Finished jobs that are retained have keys of their own: the set `finished` holds when they ended, the hash
-- `archive` their records, the hash `outcomes` state=|attempt=|due=|claimed=|percent=|text=, a line feed, and the result. The state is
-- a code (see include/state.lua), percent and text are the progress; attempt, due and claimed as in the facts; what is unknown is empty, and without
-- progress its two fields are missing. Only the result may hold a line feed. The state is the first field and the text the last; fields that
-- another release adds are between them, and readers pass over them.
--
-- retain(id, packed, code, result, at): keeps a job that is about to be removed.
local function retain(id, packed, code, result, at)
  local fact = unpack_facts(packed)
  local record = redis.call('HGET', jobs, id)
  local reported = redis.call('HGET', progress, id)
  local outcome = 'state=' .. code .. '|attempt=' .. fact.attempt .. '|due=' .. fact.due .. '|claimed=' .. fact.claimed
  redis.call('ZADD', finished, string.format('%.0f', at), id)
  redis.call('HSET', outcomes, id, outcome .. (reported and '|' .. reported or '') .. '\n' .. result)
  if record then
    redis.call('HSET', archive, id, record)
  else
    redis.call('HDEL', archive, id)
  end
end
