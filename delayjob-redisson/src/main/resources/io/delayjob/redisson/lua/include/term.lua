--- @keys fence
-- begin_term(term): makes the permits of all earlier terms invalid. A removal comes first: see include/full.lua.
local function begin_term(term)
  redis.call('DEL', fence)
  redis.call('SET', fence, term .. ':0')
  return term .. ':0'
end
