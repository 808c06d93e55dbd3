-- beat(key, nodes, at, born, fed): a node feeds that last heard of this pulse, 0 if of none. Returns the ms by which the data is known.
-- A pulse that is missing while the registry is not was lost alone, and is put back. Data of which a node knows that it was fed later
-- than it says is an older copy, and known by another ms from now on; what a failover takes with it is no such thing.
local OLDER = 10000

local function beat(key, nodes, at, born, fed)
  -- Of whatever type it is.
  local pulse = unpack_pulse(redis.call('MGET', key)[1])
  if not pulse and born > 0 and redis.call('EXISTS', nodes) == 1 then
    pulse = { fed = fed, back = 0, born = born }
  end
  pulse = pulse or { fed = at, back = 0, born = at }
  -- Unless the clock was set back.
  if pulse.born == born and fed - pulse.fed > OLDER and fed <= at then
    pulse.born = at
  end
  if at - pulse.fed > SILENCE then
    pulse.back = at
  elseif pulse.back > at then
    -- The clock was set back, and leases last longer by that.
    pulse.back = 0
  end
  redis.call('SET', key, string.format('%.0f|%.0f|%.0f', at, pulse.back, pulse.born))
  return pulse.born
end
