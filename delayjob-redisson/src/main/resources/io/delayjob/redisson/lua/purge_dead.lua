-- Removes the jobs that died first for good.
--
-- ARGV  1 number of the call
--       2 ms for which a job must have been dead
--       3 the most jobs to remove (1 to 200)
-- Returns how many it removed, as text.
-- Cost  O(log dead) for each job.
--- @keys dead
--- @include check
--- @include memo
--- @include full
--- @include now
--- @include steps
--- @include once
--- @include dead
--- @include forget
local number, age, limit = ARGV[1], tonumber(ARGV[2]), ARGV[3]

check_keys()

return once(number, function()
  go_on_when_full()
  local until_then = string.format('%.0f', now() - age)
  local ids = redis.call('ZRANGEBYSCORE', dead, '-inf', until_then, 'LIMIT', 0, limit)
  if #ids > 0 then
    remove_dead(unpack(ids))
    forget(ids)
    for _, id in ipairs(steps and ids or {}) do
      note('PURGE', '-', id)
    end
  end
  return tostring(#ids)
end)
