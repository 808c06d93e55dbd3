--- @keys pulse nodes
-- beat(at, born, fed): a node feeds that last heard of this pulse, 0 if of none. Returns the ms by which the data is known.
-- A pulse that is missing while the registry is not was lost alone, and is put back. Data of which a node knows that it was fed later
-- than it says is an older copy, and known by another ms from now on; what a failover takes with it is no such thing.
local OLDER = 10000

local function beat(at, born, fed)
  -- Of whatever type it is.
  local known = unpack_pulse(redis.call('MGET', pulse)[1])
  if not known and born > 0 and redis.call('EXISTS', nodes) == 1 then
    known = { fed = fed, back = 0, born = born, others = '' }
  end
  known = known or { fed = at, back = 0, born = at, others = '' }
  -- Unless the clock was set back.
  if known.born == born and fed - known.fed > OLDER and fed <= at then
    known.born = at
  end
  if at - known.fed > SILENCE then
    known.back = at
  elseif known.back > at then
    -- The clock was set back, and leases last longer by that.
    known.back = 0
  end
  redis.call('SET', pulse, pack_pulse(at, known.back, known.born, known.others))
  return known.born
end
