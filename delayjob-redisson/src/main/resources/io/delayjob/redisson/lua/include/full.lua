-- go_on_when_full(zset): lets the rest of the script write although Redis is out of memory. Redis asks for memory at the first
-- write of a script only, and a removal needs none. Jobs that are in Redis must be able to run and to leave when it is full.
local function go_on_when_full(zset)
  redis.call('ZREM', zset, '')
end
