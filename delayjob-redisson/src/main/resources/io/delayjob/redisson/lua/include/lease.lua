-- lease_ends(at, lease): returns a function of a job's own lease, perhaps empty, and when its attempt begins, ms: when its lease ends.
-- An attempt does not begin before now; a job without a lease of its own has the queue's.
local function lease_ends(at, lease)
  local usual = ms(at + lease)

  return function(own, begins)
    local from = math.max(at, tonumber(begins) or at)
    return own == '' and from == at and usual or ms(from + (tonumber(own) or lease))
  end
end
