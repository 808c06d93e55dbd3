-- Extends leases, so that they last at least the given time from now. Never shortens a lease; restores one that somebody removed.
-- Safe to repeat.
--
-- ARGV  for each job (at most 200)
--       id
--       token of the claim
--       lease, ms from now
-- Returns one character for each job: 1 renewed, 0 the claim no longer holds the job.
-- Cost  O(log reserved) for each job.
--- @keys facts
--- @include check
--- @include reserved
--- @include now
--- @include full
--- @include facts

check_keys()

local at = now()
go_on_when_full()
local answer = {}
for i = 1, #ARGV, 3 do
  local id, token, lease = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local held = owns(redis.call('HGET', facts, id), token)
  answer[#answer + 1] = held and '1' or '0'
  if held then
    extend_reserved(string.format('%.0f', at + tonumber(lease)), id)
  end
end
return table.concat(answer)
