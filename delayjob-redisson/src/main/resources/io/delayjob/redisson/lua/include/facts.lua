-- The facts of a job that change, packed into one hash value: token|attempt|due|lease|since|node|lost|claimed|key
--   token    epoch:call of the claim that holds the job; empty unless reserved
--   attempt  how many attempts have begun
--   due      ms; when the attempt that began last was due, also if it was given back; empty before the first
--   lease    ms; the job's own lease; empty for the queue's
--   since    ms; when a node first found that it cannot run the job; empty if none did, or a node had it since that could, or it
--            was given a new due time; while it is set, claims leave due as it is
--   node     who holds the job; empty unless reserved
--   lost     how many attempts in a row, the running one not counted, ended with their lease running out; empty for none
--   claimed  ms; when the job was handed out last, or, if that was before it was due, when it was due; empty before the first time
--   key      the dedupe key it was submitted with; empty for none; may hold any character
-- Counts have at most 9 digits and times at most 15, so that every reader can take them. A job without facts, or with something
-- else in their place, has not been claimed and has neither a lease nor a key of its own.
local function unpack_facts(packed)
  local token, attempt, due, lease, since, node, lost, claimed, key =
    string.match(packed or '', '^([^|]*)|(%d+)|(%d*)|(%d*)|(%d*)|([^|]*)|(%d*)|(%d*)|(.*)$')
  if not token or #attempt > 9 or #lost > 9 or math.max(#due, #lease, #since, #claimed) > 15 then
    return { token = '', attempt = 0, due = '', lease = '', since = '', node = '', lost = 0, claimed = '', key = '' }
  end
  return {
    token = token,
    attempt = tonumber(attempt),
    due = due,
    lease = lease,
    since = since,
    node = node,
    lost = tonumber(lost) or 0,
    claimed = claimed,
    key = key,
  }
end

local function pack_facts(fact)
  local lost = fact.lost > 0 and fact.lost or ''
  return fact.token .. '|' .. fact.attempt .. '|' .. fact.due .. '|' .. fact.lease .. '|' .. fact.since .. '|'
    .. fact.node .. '|' .. lost .. '|' .. fact.claimed .. '|' .. fact.key
end

-- facts_around(token, node): the packed facts of a job that had none, at its first claim: what stands before the due time, and what
-- stands between it and the time of the claim. All jobs of a claim share them.
local function facts_around(token, node)
  return token .. '|1|', '|||' .. node .. '||'
end

-- key_of(packed): the key alone, for which nothing else need be unpacked.
local function key_of(packed)
  return string.match(packed or '', '^[^|]*|%d+|%d*|%d*|%d*|[^|]*|%d*|%d*|(.+)$') or ''
end

-- owns(packed, token): whether the claim with that token still holds the job.
local function owns(packed, token)
  return packed and token ~= '' and string.find(packed, token .. '|', 1, true) == 1
end
