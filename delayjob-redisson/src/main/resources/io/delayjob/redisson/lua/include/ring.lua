-- ring(waiting, ready, watermark, changed): pushes one token to `ready` if the head of `waiting` is one of the changed ids
-- and due before the watermark, that is, sooner than any doorbell was arranged for.
local function ring(waiting, ready, watermark, changed)
  local head = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
  if head[1] and changed[head[1]] and tonumber(head[2]) < (tonumber(redis.call('GET', watermark)) or 0) then
    redis.call('RPUSH', ready, head[1])
  end
end
