--- @keys pulse nodes
-- beat(at, born, fed): records a feed of a node that last saw this pulse (0 if it saw none). Returns when the data began, ms. If
-- the pulse is missing but the registry is not, only the pulse was lost, and it is restored. If the node knows of a later feed than
-- the pulse has, by more than a failover may lose, the data is an older copy, and gets a new beginning.
local OLDER = 10000

local function beat(at, born, fed)
  -- MGET works for a key of any type.
  local known = unpack_pulse(redis.call('MGET', pulse)[1])
  if not known and born > 0 and redis.call('EXISTS', nodes) == 1 then
    known = { fed = fed, back = 0, born = born, others = '' }
  end
  known = known or { fed = at, back = 0, born = at, others = '' }
  -- An older copy of the data, unless the clock was set back.
  if known.born == born and fed - known.fed > OLDER and fed <= at then
    known.born = at
  end
  if at - known.fed > SILENCE then
    known.back = at
  elseif known.back > at then
    -- The clock was set back, which makes leases last longer.
    known.back = 0
  end
  redis.call('SET', pulse, pack_pulse(at, known.back, known.born, known.others))
  return known.born
end
