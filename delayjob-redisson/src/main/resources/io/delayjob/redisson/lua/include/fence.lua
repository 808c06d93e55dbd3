--- @keys fence
-- The fence keeps late submits of journaled jobs out of the shard. Its value is term:relays. Such a submit shows a permit: the term, if it
-- comes from the node that wrote the job to the journal, or the whole value, if it comes from a relay, whose permit is for one call.
-- See docs/decisions/0062-late-submits-are-fenced-off.md.
--
-- read_fence(): the value and its term; nil if there is none.
local function read_fence()
  local value = redis.call('MGET', fence)[1]
  local term = string.match(value or '', '^(%x+):%d+$')
  return term and value, term
end
