-- The facts of a job that change, packed into one hash value: token|attempt|due|lease|since|node
--   token    epoch:call of the claim that holds the job; empty unless reserved
--   attempt  how many attempts have begun
--   due      ms; when the attempt that began last was due; empty before the first
--   lease    ms; the job's own lease; empty for the queue's
--   since    ms; when a node first found that it cannot run the job; empty if none did
--   node     who holds the job; empty unless reserved
-- A job without facts, or with something else in their place, has not been claimed and has no lease of its own.
local function unpack_facts(packed)
  local token, attempt, due, lease, since, node =
    string.match(packed or '', '^([^|]*)|(%d+)|(%d*)|(%d*)|(%d*)|([^|]*)$')
  if not token then
    return { token = '', attempt = 0, due = '', lease = '', since = '', node = '' }
  end
  return { token = token, attempt = tonumber(attempt), due = due, lease = lease, since = since, node = node }
end

local function pack_facts(facts)
  return facts.token .. '|' .. facts.attempt .. '|' .. facts.due .. '|' .. facts.lease .. '|' .. facts.since .. '|' .. facts.node
end

-- owns(packed, token): whether the claim with that token still holds the job.
local function owns(packed, token)
  return packed and string.sub(packed, 1, #token + 1) == token .. '|'
end
