--- @keys compared
-- A Redis that was put back to an older state has jobs that have ended since. The journal knows of them and cancels them, once it has compared;
-- see docs/decisions/0100-claims-wait-for-the-journal.md. `compared` is one value of named fields: at=|since=, each ms by Redis' clock
--   at     when the journal last found the entry that it had written last in the flow log
--   since  since when claims wait; empty if none does
-- It is absent until the journal has compared. Another release may add fields after these.
local STALE, PATIENCE = 3000, 15000

-- keep_compared(at, since): writes it. A removal comes first: see include/full.lua.
local function keep_compared(at, since)
  redis.call('DEL', compared)
  redis.call('SET', compared, string.format('at=%.0f|since=', at) .. since)
end

-- awaits_journal(packed, at): whether a claim has to wait for the journal: it has not compared for STALE ms. Claims wait for PATIENCE ms
-- and no longer, so that they go on where no journal is left.
local function awaits_journal(packed, at)
  local last, since = string.match(packed or '', '^at=(%d+)|since=(%d*)')
  if not last or math.max(#last, #since) > 15 or at - tonumber(last) <= STALE then
    return false
  end
  since = tonumber(since)
  if not since or since > at then
    keep_compared(tonumber(last), string.format('%.0f', at))
    return true
  end
  return at - since < PATIENCE
end
