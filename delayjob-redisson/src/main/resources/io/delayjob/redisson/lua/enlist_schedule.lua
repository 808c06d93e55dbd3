-- Records the queue of a schedule, so that a name has one queue. Safe to repeat.
--
-- ARGV  1 name
--       2 queue; empty to remove the name
--       3 the queue that it may replace or remove; empty for none
-- Returns the queue that is recorded then; empty if none is.
-- Cost  O(1).
--- @keys scheduled
--- @include check
local name, queue, instead = ARGV[1], ARGV[2], ARGV[3]

check_keys()

local known = redis.call('HGET', scheduled, name)
if queue == '' then
  if known ~= instead then
    return known or ''
  end
  redis.call('HDEL', scheduled, name)
elseif not known or known == instead then
  redis.call('HSET', scheduled, name, queue)
else
  return known
end
return queue
