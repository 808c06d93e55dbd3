-- The pulse of a shard is one value of named fields: fed=|back=|born=, each ms by Redis' clock
--   fed   when a node fed last
--   back  when a node fed again after a silence; 0 if there was none
--   born  when the first node fed; identifies the shard's data for nodes
-- Another release may add fields after these, which are kept unchanged. After a silence of SILENCE ms, owners have GRACE_PERIOD ms to
-- renew their leases before expired ones are handed out.
local SILENCE, GRACE_PERIOD = 5000, 10000

-- unpack_pulse(packed): the parts of a pulse; nil if there is no valid one.
local function unpack_pulse(packed)
  local fed, back, born, others = string.match(packed or '', '^fed=(%d+)|back=(%d+)|born=(%d+)(.*)$')
  if fed and math.max(#fed, #back, #born) <= 15 and not string.find(others, '^[^|]') then
    return { fed = tonumber(fed), back = tonumber(back), born = tonumber(born), others = others }
  end
end

-- pack_pulse(fed, back, born, others): the inverse.
local function pack_pulse(fed, back, born, others)
  return string.format('fed=%.0f|back=%.0f|born=%.0f', fed, back, born) .. others
end

-- grace_period_end(packed, at): the time until which expired leases are left to their owners, ms; 0 if there is none.
local function grace_period_end(packed, at)
  local known = unpack_pulse(packed)
  if not known then
    return 0
  end
  local back = at - known.fed > SILENCE and at or known.back
  return at < back + GRACE_PERIOD and back + GRACE_PERIOD or 0
end
