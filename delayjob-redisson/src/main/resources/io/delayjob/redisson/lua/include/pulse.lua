-- The pulse of a shard, packed: fed|back|born, each ms by Redis' clock
--   fed   when a node fed last
--   back  when a node fed again after a silence; 0 if there was none
--   born  when the first node fed; by it nodes know the shard's data again
-- After a silence of so long, owners have so long to renew their leases before those that ran out are handed out.
local SILENCE, RESPITE = 5000, 10000

-- unpack_pulse(packed): its parts, or nil. What is no pulse counts as none.
local function unpack_pulse(packed)
  local fed, back, born = string.match(packed or '', '^(%d+)|(%d+)|(%d+)$')
  if fed and math.max(#fed, #back, #born) <= 15 then
    return { fed = tonumber(fed), back = tonumber(back), born = tonumber(born) }
  end
end

-- respite_end(packed, at): until when leases that ran out are left to their owners, ms; 0 if they are not.
local function respite_end(packed, at)
  local known = unpack_pulse(packed)
  if not known then
    return 0
  end
  local back = at - known.fed > SILENCE and at or known.back
  return at < back + RESPITE and back + RESPITE or 0
end
