-- Removes completed jobs, and retains them as finished jobs if the queue is configured so.
--
-- ARGV  1 number of the call
--       2 ms for which finished jobs are kept
--       3 how many finished jobs are kept; 0 for none; then for each job (at most 200)
--       id
--       token of the claim
--       result as JSON, or empty
-- Returns one character for each job: 1 removed, 0 the claim no longer holds the job.
-- Cost  O(log reserved) for each job. The record of a retained job is copied; the sender bounds their total length.
--- @keys facts dedupe
--- @include check
--- @include reserved
--- @include memo
--- @include full
--- @include now
--- @include steps
--- @include once
--- @include facts
--- @include free
--- @include forget
--- @include retain
--- @include prune
local number, time, count = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

check_keys()

return once(number, function()
  go_on_when_full()
  local at = count > 0 and now()
  local ids = {}
  for i = 4, #ARGV, 3 do
    ids[#ids + 1] = ARGV[i]
  end
  local packed = redis.call('HMGET', facts, unpack(ids))
  if know_lanes then
    know_lanes(ids, packed)
  end
  -- Features that a queue does not use must not cost its jobs anything.
  local keyed = redis.call('EXISTS', dedupe) == 1
  local answer, done, gone = {}, {}, {}
  for n, id in ipairs(ids) do
    local held = owns(packed[n], ARGV[3 * n + 2]) and not gone[id]
    answer[n] = held and '1' or '0'
    if held then
      done[#done + 1] = id
      gone[id] = true
      if keyed then
        free(id, key_of(packed[n]))
      end
      if count > 0 then
        retain(id, packed[n], 'C', ARGV[3 * n + 3], at)
      end
      if steps then
        note('COMPLETE', 'C', id, string.match(packed[n], '|attempt=(%d+)|'), nil, ARGV[3 * n + 3])
      end
    end
  end
  if #done > 0 then
    remove_reserved(unpack(done))
    forget(done)
  end
  if count > 0 then
    prune(at, time, count, 2 * #ids + 10)
  end
  return table.concat(answer)
end)
