--- @keys ready
--- @include needs_ring
-- ring(changed): pushes one entry to `ready` if the waiting job that is taken next is one of the changed ids and has no doorbell.
local function ring(changed)
  local id, due = first_waiting()
  if id and changed[id] and needs_ring(tonumber(due)) then
    redis.call('RPUSH', ready, id)
  end
end
