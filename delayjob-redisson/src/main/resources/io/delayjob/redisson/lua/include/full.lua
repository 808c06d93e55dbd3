--- @keys facts
-- go_on_when_full(): allows the rest of the script to write although Redis is out of memory. Redis checks its memory only at the first
-- write of a script, and not if that is a removal. Stored jobs must be able to run, and so make room, when Redis is full.
local function go_on_when_full()
  redis.call('HDEL', facts, '')
end
