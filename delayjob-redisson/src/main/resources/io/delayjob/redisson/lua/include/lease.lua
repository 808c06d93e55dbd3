-- lease_ends(at, lease): returns a function that computes when a lease ends, ms, from the job's own lease (empty for the queue's)
-- and the time at which its attempt begins, ms. An attempt does not begin before now.
local function lease_ends(at, lease)
  local usual = ms(at + lease)

  return function(own, begins)
    local from = math.max(at, tonumber(begins) or at)
    return own == '' and from == at and usual or ms(from + (tonumber(own) or lease))
  end
end
