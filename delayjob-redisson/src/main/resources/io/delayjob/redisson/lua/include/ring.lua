--- @keys waiting ready
--- @include needs_ring
-- ring(changed): pushes one entry to `ready` if the head of `waiting` is one of the changed ids and has no doorbell.
local function ring(changed)
  local head = redis.call('ZRANGE', waiting, '0', '0', 'WITHSCORES')
  if head[1] and changed[head[1]] and needs_ring(tonumber(head[2])) then
    redis.call('RPUSH', ready, head[1])
  end
end
