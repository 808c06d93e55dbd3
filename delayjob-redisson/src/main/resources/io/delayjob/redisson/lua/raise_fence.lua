-- Begins a new term of the fence, so that late submits of journaled jobs are not stored. Safe to repeat.
--
-- ARGV  1 the term: hexadecimal, never used before
-- Returns 1.
-- Cost  O(1).
--- @keys fence
--- @include fence
--- @include term
local term = ARGV[1]

local _, known = read_fence()
if known ~= term then
  begin_term(term)
end
return 1
