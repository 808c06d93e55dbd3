-- Gives waiting jobs a new due time.
--
-- ARGV  1 number of the call; then for each job (at most 200)
--       id
--       delay, ms from now
-- Returns one code for each job, see include/state.lua.
-- Cost  O(log waiting) for each job.
--- @include check
--- @include reserved
--- @include memo
--- @include waiting
--- @include full
--- @include now
--- @include steps
--- @include once
--- @include facts
--- @include state
--- @include due
--- @include ring
local number = ARGV[1]

check_keys()

return once(number, function()
  local at = now()
  go_on_when_full()
  local answer, changed = {}, {}
  for i = 2, #ARGV, 2 do
    local id, delay = ARGV[i], ARGV[i + 1]
    local code = state_of(id, at)
    if code == 'D' or code == 'Y' then
      set_due(id, at + tonumber(delay))
      changed[id] = true
    else
      code = string.lower(code)
    end
    answer[#answer + 1] = code
  end
  ring(changed)
  return table.concat(answer)
end)
