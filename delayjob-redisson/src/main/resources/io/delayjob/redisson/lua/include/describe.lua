--- @keys jobs facts errors progress archive outcomes
-- describe(id, letter, score): all that is known of a job: { id, letter of its state, score, record or empty, packed facts
-- or empty, last error or empty, progress or empty }; of a finished job the packed outcome in the place of the facts.
local function describe(id, letter, score)
  if letter == 'C' or letter == 'O' then
    return { id, letter, score, redis.call('HGET', archive, id) or '', redis.call('HGET', outcomes, id) or '', '', '' }
  end
  return {
    id,
    letter,
    score,
    redis.call('HGET', jobs, id) or '',
    redis.call('HGET', facts, id) or '',
    redis.call('HGET', errors, id) or '',
    redis.call('HGET', progress, id) or '',
  }
end
