-- The facts of a job are the data about it that changes, as one hash value with named fields:
--   token=|attempt=|due=|lease=|since=|node=|lost=|claimed=|key=
--   token    epoch:call of the claim that holds the job; empty unless reserved
--   attempt  how many attempts have begun
--   due      ms; when the last attempt was due, even if it was given back; empty before the first
--   lease    ms; the job's own lease; empty for the queue's
--   since    ms; from when on no live node is known to be able to run the job; empty if no node failed to, if a node that can run it had
--            it since, or if it got a new due time; while it is set, claims do not change due
--   node     the node that holds the job, or had it when its last attempt failed; empty for others
--   lost     how many attempts in a row, without the running one, ended with an expired lease; empty for none
--   claimed  ms; when the job was last handed out, or its due time if that was later; empty before the first time
--   key      its dedupe key; empty for none; the last field, which may contain any character
-- Between claimed and key, a job whose priority is not 4 has it in |priority=, and one with a key has that in |lane=, with %25 for % and %7C for |, and
-- |seat=, see include/lanes.lua; and one that had begun when it was given back has |begun=1 until it is redriven. Another release may add fields there too, each as |name=value, which are kept unchanged. The fields above always have this order, so that one pattern reads them all. See docs/decisions/0049-values-that-can-grow.md. Counts have at most 9
-- digits and times at most 15, so that every reader can handle them. A job without facts, or with an invalid value in their place,
-- counts as one that was never claimed and has neither a lease nor a key of its own.
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

-- first_facts(token, node): the parts of the facts at the first claim of a job without facts: the text before its due time, the
-- text from there to the time of the claim, and the text after that. All jobs of a claim share them.
local function first_facts(token, node)
  return 'token=' .. token .. '|attempt=1|due=', '|lease=|since=|node=' .. node .. '|lost=|claimed=', '|key='
end

-- new_facts(lease, priority, lane, key, seat): the facts of a new job with a lease, a priority, a key or a dedupe key of its own; each is empty for
-- none. The seat is that in the lane of its key, nil if it has none yet.
local function new_facts(lease, priority, lane, key, seat)
  local others = (priority ~= '' and '|priority=' .. priority or '') .. (lane ~= '' and '|lane=' .. lane .. '|seat=' .. (seat or '') or '')
  return 'token=|attempt=0|due=|lease=' .. lease .. '|since=|node=|lost=|claimed=' .. others .. '|key=' .. key
end

-- rest_of_new(packed): what stands behind `claimed` in the facts of a job that was never claimed and has no lease of its own; nil for other facts.
local NEW = 'token=|attempt=0|due=|lease=|since=|node=|lost=|claimed=|'
local function rest_of_new(packed)
  return string.sub(packed, 1, #NEW) == NEW and string.find(packed, '|key=', #NEW, true) and string.sub(packed, #NEW) or nil
end

-- key_of(packed): only the dedupe key, without unpacking the rest.
local function key_of(packed)
  return string.match(packed or '', '^token=.-|key=(.+)$') or ''
end

-- owns(packed, token): whether the claim with this token still holds the job.
local function owns(packed, token)
  return packed and token ~= '' and string.find(packed, 'token=' .. token .. '|', 1, true) == 1
end
