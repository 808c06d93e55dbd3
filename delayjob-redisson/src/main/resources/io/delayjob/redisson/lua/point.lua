-- Points ids of this shard to the shards where jobs with these ids are about to be stored, because their keys belong there; see include/pointers.lua.
--
-- ARGV  1 number of this shard
--       then for each id (at most 200): id
--       number of the shard to point to; that of this shard removes the pointer, so that a job may be stored here
--       token of the pointer
--       the pointer in whose place it comes, as it was read; empty for none. One that has changed since stays
-- Returns one line for each id: shard|token|ms of the pointer that is there now, which is another one if it was not to be replaced; or an empty line, and nothing is
--         changed, if an unfinished job with that id is in this shard.
-- Cost  O(log jobs) for each id.
--- @keys pointers
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include now
--- @include exists
--- @include use_key
--- @include pointers
--- @include prune

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels
local at, answer = string.format('%.0f', now()), {}

-- From now on, submits to this shard use the scripts that look for pointers.
use_key('k')
for i = 2, #ARGV, 4 do
  local id, shard, token, replaced = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local value = redis.call('HGET', pointers, id)
  local to, held = read_pointer(value)
  if job_exists(id) then
    answer[#answer + 1] = ''
  elseif held and held ~= token and value ~= replaced then
    if to == shard then
      value = to .. '|' .. held .. '|' .. at
      redis.call('HSET', pointers, id, value)
    end
    answer[#answer + 1] = value
  else
    local pointer = shard .. '|' .. token .. '|' .. at
    if shard == ARGV[1] then
      redis.call('HDEL', pointers, id)
    else
      redis.call('HSET', pointers, id, pointer)
      -- A finished job with the id is older than the one to come, and would be found in its place.
      forget_finished({ id })
    end
    answer[#answer + 1] = pointer
  end
end
return table.concat(answer, '\n')
