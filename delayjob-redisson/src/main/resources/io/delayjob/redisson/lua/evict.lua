-- Removes unfinished jobs, whatever their state, without logging it: the journal keeps them, and can put them back. Those that wait go
-- first, then those that run, then the dead ones. A run of a removed job can no longer settle it.
--
-- ARGV  1 number of the call
--       2 the most jobs to remove (1 to 200)
-- Returns how many it removed, as text.
-- Cost  O(log waiting) for each job.
--- @keys dead facts
--- @include check
--- @include reserved
--- @include memo
--- @include waiting
--- @include full
--- @include now
--- @include steps
--- @include once
--- @include facts
--- @include dead
--- @include free
--- @include forget
local number, left = ARGV[1], tonumber(ARGV[2])

check_keys()

local function due_dead(by, most)
  return most > 0 and redis.call('ZRANGEBYSCORE', dead, '-inf', by, 'WITHSCORES', 'LIMIT', 0, most) or {}
end

return once(number, function()
  go_on_when_full()
  local removed = 0

  local function evict(due_in, remove)
    local found, ids = due_in('+inf', left), {}
    for i = 1, #found, 2 do
      ids[#ids + 1] = found[i]
    end
    if #ids > 0 then
      for n, packed in ipairs(redis.call('HMGET', facts, unpack(ids))) do
        free(ids[n], key_of(packed))
      end
      remove(unpack(ids))
      forget(ids)
      removed, left = removed + #ids, left - #ids
    end
  end

  evict(any_waiting, remove_waiting)
  evict(due_reserved, remove_reserved)
  evict(due_dead, remove_dead)
  return tostring(removed)
end)
