--- @keys jobs progress finished archive outcomes
-- Finished jobs that are kept to be looked at stand apart from the others: the set `finished` holds when they ended, the hash
-- `archive` their records, the hash `outcomes` state=|attempt=|due=|claimed=|percent=|text=, a line feed, and the result. The state is
-- a letter, percent and text are the progress; attempt, due and claimed as in the facts; what is unknown is empty, and without
-- progress its two fields are missing. Only the result may hold a line feed. The state stands first and the text last; fields that
-- another release adds stand between them, and readers pass over them.
--
-- retain(id, packed, letter, result, at): keeps a job that is about to be removed.
local function retain(id, packed, letter, result, at)
  local fact = unpack_facts(packed)
  local record = redis.call('HGET', jobs, id)
  local said = redis.call('HGET', progress, id)
  local outcome = 'state=' .. letter .. '|attempt=' .. fact.attempt .. '|due=' .. fact.due .. '|claimed=' .. fact.claimed
  redis.call('ZADD', finished, string.format('%.0f', at), id)
  redis.call('HSET', outcomes, id, outcome .. (said and '|' .. said or '') .. '\n' .. result)
  if record then
    redis.call('HSET', archive, id, record)
  else
    redis.call('HDEL', archive, id)
  end
end
