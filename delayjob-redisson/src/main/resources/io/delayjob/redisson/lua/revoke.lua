-- Revokes pointers to this shard, so that no submit which shows one of them stores a job any more; see include/pointers.lua.
--
-- ARGV  for each pointer (at most 200): id, token
-- Returns 1 for each that is revoked, 0 for each that is not, because an unfinished job with that id is here.
-- Cost  O(log jobs) for each pointer.
--- @keys revoked
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include now
--- @include exists
--- @include pointers

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels
local at, answer = now(), {}

for i = 1, #ARGV, 2 do
  if job_exists(ARGV[i]) then
    answer[#answer + 1] = '0'
  else
    redis.call('ZADD', revoked, string.format('%.0f', at), ARGV[i + 1])
    answer[#answer + 1] = '1'
  end
end
-- Submits do not show pointers that are so old.
local old = redis.call('ZRANGEBYSCORE', revoked, '-inf', string.format('%.0f', at - OVER), 'LIMIT', 0, 400)
if #old > 0 then
  redis.call('ZREM', revoked, unpack(old))
end
return table.concat(answer)
