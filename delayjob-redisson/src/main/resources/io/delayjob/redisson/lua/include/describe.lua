-- describe(hashes, id, letter, score): all that is known of a job: { id, letter of its state, score, record or empty, packed facts
-- or empty, last error or empty, progress or empty }; of a finished job the packed outcome in the place of the facts.
-- hashes are those for jobs, facts, errors, progress, archive and outcomes, in this order.
local function describe(hashes, id, letter, score)
  local jobs, facts, errors, progress, archive, outcomes = unpack(hashes)
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
