--- @keys jobs progress finished archive outcomes
-- Retained finished jobs have keys of their own: the set `finished` contains when they ended, the hash `archive` their records, and
-- the hash `outcomes` state=|attempt=|due=|claimed=|percent=|text=, a line feed, and the result. The state is a code (see
-- include/state.lua); attempt, due and claimed are as in the facts; percent and text are the progress. Unknown values are empty;
-- without progress its two fields are missing. Only the result may contain line feeds. The state is the first field and the text
-- the last; another release may add fields between them, which readers ignore.
--
-- retain(id, packed, code, result, at): retains a job that is about to be removed.
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
