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

-- begin_term(term): makes the permits of all earlier terms invalid. A removal comes first: see include/full.lua.
local function begin_term(term)
  redis.call('DEL', fence)
  redis.call('SET', fence, term .. ':0')
  return term .. ':0'
end
