--- @exports keep_compared awaits_journal
--- @keys compared
-- A Redis that was put back to an older state has jobs that have ended since. The journal knows of them and cancels them, once it has compared;
-- see docs/decisions/0100-claims-wait-for-the-journal.md. `compared` is one value of named fields: at=|since=, each ms by Redis' clock
--   at     when the journal last found the entry that it had written last in the flow log
--   since  since when claims wait; empty if none does
-- It is absent until the journal has compared. Another release may add fields after these, which are kept unchanged.
local STALE, PATIENCE = 3000, 15000

-- unpack_compared(packed): its at, its since or '', and the fields of another release; nothing if it is not valid.
local function unpack_compared(packed)
  local at, since, others = string.match(packed or '', '^at=(%d+)|since=(%d*)(.*)$')
  if at and math.max(#at, #since) <= 15 and not string.find(others, '^[^|]') then
    return tonumber(at), since, others
  end
end

-- keep_compared(packed, at, since): writes it over a packed one. A removal comes first: see include/full.lua.
function keep_compared(packed, at, since)
  local _, _, others = unpack_compared(packed)
  redis.call('DEL', compared)
  redis.call('SET', compared, string.format('at=%.0f|since=', at) .. since .. (others or ''))
end

-- awaits_journal(packed, at): whether a claim has to wait for the journal: it has not compared for STALE ms. Claims wait for PATIENCE ms
-- and no longer, so that they go on where no journal is left.
function awaits_journal(packed, at)
  local last, since = unpack_compared(packed)
  if not last or at - last <= STALE then
    return false
  end
  since = tonumber(since)
  if not since or since > at then
    keep_compared(packed, last, string.format('%.0f', at))
    return true
  end
  return at - since < PATIENCE
end
