-- Says which jobs do not exist, and how far the flow log has come.
--
-- ARGV  ids (at most 200)
-- Returns { the last position of the flow log or 0-0, then the ids of the jobs that are neither waiting nor reserved nor dead }.
-- Cost  O(1) for each job.
--- @keys flow
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include exists

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels
check_key(flow, 'stream')

local last = redis.call('XREVRANGE', flow, '+', '-', 'COUNT', 1)[1]
local answer = { last and last[1] or '0-0' }
for _, id in ipairs(ARGV) do
  if not job_exists(id) then
    answer[#answer + 1] = id
  end
end
return answer
