--- @keys jobs facts errors progress archive outcomes
-- describe(id, code, score): everything that is known about a job: { id, code of its state, score, record or empty, packed facts or
-- empty, last error or empty, progress or empty }; for a finished job, the packed outcome in place of the facts.
local function describe(id, code, score)
  if code == 'C' or code == 'O' then
    return { id, code, score, redis.call('HGET', archive, id) or '', redis.call('HGET', outcomes, id) or '', '', '' }
  end
  return {
    id,
    code,
    score,
    redis.call('HGET', jobs, id) or '',
    redis.call('HGET', facts, id) or '',
    redis.call('HGET', errors, id) or '',
    redis.call('HGET', progress, id) or '',
  }
end
