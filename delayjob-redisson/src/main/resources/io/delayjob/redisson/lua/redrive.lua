-- Makes dead jobs ready again, with their attempts reset.
--
-- ARGV  1 number of the call; then the ids (at most 200)
-- Returns one code for each job, see include/state.lua.
-- Cost  O(log dead) for each job.
--- @keys dead
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
--- @include ring
--- @include dead
--- @include revive
local number = ARGV[1]

check_keys()

return once(number, function()
  local at = now()
  go_on_when_full()
  local answer, changed = {}, {}
  for i = 2, #ARGV do
    local id = ARGV[i]
    local code = state_of(id, at)
    if code == 'X' then
      revive(id, at)
      changed[id] = true
    else
      code = string.lower(code)
    end
    answer[#answer + 1] = code
  end
  ring(changed)
  return table.concat(answer)
end)
