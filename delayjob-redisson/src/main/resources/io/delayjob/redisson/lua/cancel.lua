-- Removes jobs that wait or run, and publishes those that run to the nodes.
--
-- ARGV  1 number of the call
--       2 ms for which finished jobs are kept
--       3 how many finished jobs are kept; 0 for none
--       4 channel of notices to all nodes; a message is: shard token id
--       5 the shard, as it is named in messages; then the ids (at most 200)
-- Returns one code for each job, see include/state.lua.
-- Cost  O(log waiting) for each job. The record of a retained job is copied, so the sender then sends few ids.
--- @keys facts
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
--- @include free
--- @include forget
--- @include retain
--- @include prune
local number, time, count, channel, shard = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]

check_keys()

local function remove(id, packed, at)
  free(id, key_of(packed))
  if count > 0 then
    retain(id, packed, 'O', '', at)
  end
  remove_waiting(id)
  remove_reserved(id)
  forget({ id })
end

return once(number, function()
  local at = now()
  go_on_when_full()
  local answer = {}
  for i = 6, #ARGV do
    local id = ARGV[i]
    local code = state_of(id, at)
    if code == 'D' or code == 'Y' or code == 'R' then
      local packed = redis.call('HGET', facts, id)
      remove(id, packed, at)
      if steps then
        note('CANCEL', 'O', id, unpack_facts(packed).attempt)
      end
      if code == 'R' then
        -- If the Redis user may not publish, the next renewal of the lease is refused instead.
        redis.pcall('PUBLISH', channel, shard .. ' ' .. unpack_facts(packed).token .. ' ' .. id)
      end
    else
      code = string.lower(code)
    end
    answer[#answer + 1] = code
  end
  if count > 0 then
    prune(at, time, count, 2 * #answer + 10)
  end
  return table.concat(answer)
end)
