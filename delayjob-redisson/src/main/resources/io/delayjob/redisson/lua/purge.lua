-- Removes dead jobs for good.
--
-- ARGV  1 number of the call; then the ids (at most 200)
-- Returns one code for each job, see include/state.lua.
-- Cost  O(log dead) for each job.
--- @include check
--- @include reserved
--- @include memo
--- @include waiting
--- @include full
--- @include now
--- @include steps
--- @include once
--- @include dead
--- @include state
--- @include forget
local number = ARGV[1]

check_keys()

return once(number, function()
  local at = now()
  go_on_when_full()
  local answer = {}
  for i = 2, #ARGV do
    local id = ARGV[i]
    local code = state_of(id, at)
    if code == 'X' then
      remove_dead(id)
      forget({ id })
      if steps then
        note('PURGE', '-', id)
      end
    else
      code = string.lower(code)
    end
    answer[#answer + 1] = code
  end
  return table.concat(answer)
end)
