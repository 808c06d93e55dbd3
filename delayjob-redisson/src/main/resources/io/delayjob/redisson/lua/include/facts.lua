-- The facts of a job are what changes about it, as one hash value of named fields:
--   token=|attempt=|due=|lease=|since=|node=|lost=|claimed=|key=
--   token    epoch:call of the claim that holds the job; empty unless reserved
--   attempt  how many attempts have begun
--   due      ms; when the attempt that began last was due, also if it was given back; empty before the first
--   lease    ms; the job's own lease; empty for the queue's
--   since    ms; when a node first found that it cannot run the job; empty if none did, or a node had it since that could, or it
--            was given a new due time; while it is set, claims leave due as it is
--   node     who holds the job; empty unless reserved
--   lost     how many attempts in a row, the running one not counted, ended with their lease running out; empty for none
--   claimed  ms; when the job was handed out last, or, if that was before it was due, when it was due; empty before the first time
--   key      the dedupe key it was submitted with; empty for none; the last field, may hold any character
-- Another release may add fields. They stand between claimed and key, |name=value each, and are kept as they are. The fields above
-- always stand in this order, so that one pattern reads them all. See docs/decisions/0049-values-that-can-grow.md.
-- Counts have at most 9 digits and times at most 15, so that every reader can take them. A job without facts, or with something
-- else in their place, has not been claimed and has neither a lease nor a key of its own.
local FACTS = '^token=([^|]*)|attempt=(%d+)|due=(%d*)|lease=(%d*)|since=(%d*)|node=([^|]*)|lost=(%d*)|claimed=(%d*)(.-)|key=(.*)$'

local function unpack_facts(packed)
  local token, attempt, due, lease, since, node, lost, claimed, others, key = string.match(packed or '', FACTS)
  if not token or #attempt > 9 or #lost > 9 or math.max(#due, #lease, #since, #claimed) > 15 or string.find(others, '^[^|]') then
    return { token = '', attempt = 0, due = '', lease = '', since = '', node = '', lost = 0, claimed = '', others = '', key = '' }
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
    others = others,
    key = key,
  }
end

local function pack_facts(fact)
  local lost = fact.lost > 0 and fact.lost or ''
  return 'token=' .. fact.token .. '|attempt=' .. fact.attempt .. '|due=' .. fact.due .. '|lease=' .. fact.lease .. '|since=' .. fact.since
    .. '|node=' .. fact.node .. '|lost=' .. lost .. '|claimed=' .. fact.claimed .. fact.others .. '|key=' .. fact.key
end

-- first_facts(token, node): what the facts of a job without facts are at its first claim: the text before its due time, that from
-- there to when it is claimed, and that behind it. All jobs of a claim share them.
local function first_facts(token, node)
  return 'token=' .. token .. '|attempt=1|due=', '|lease=|since=|node=' .. node .. '|lost=|claimed=', '|key='
end

-- key_of(packed): the dedupe key alone, for which nothing else need be unpacked.
local function key_of(packed)
  return string.match(packed or '', '^token=.-|key=(.+)$') or ''
end

-- owns(packed, token): whether the claim with that token still holds the job.
local function owns(packed, token)
  return packed and token ~= '' and string.find(packed, 'token=' .. token .. '|', 1, true) == 1
end
