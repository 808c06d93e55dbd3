-- Makes the jobs that died first wait again, with their attempts reset, each due a fixed time after the one before.
--
-- ARGV  1 number of the call
--       2 the most jobs to redrive (1 to 200)
--       3 microseconds from now until the first is due
--       4 microseconds from one due time to the next
-- Returns their ids, one per line. A line feed in an id, which no submit makes, becomes a ?.
-- Cost  O(log dead) for each job.
--- @keys dead
--- @include check
--- @include memo
--- @include waiting
--- @include full
--- @include now
--- @include steps
--- @include once
--- @include facts
--- @include ring
--- @include dead
--- @include revive
local number, limit, start, spacing = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

check_keys()

return once(number, function()
  local at = now()
  go_on_when_full()
  local ids = redis.call('ZRANGE', dead, 0, limit - 1)
  local changed = {}
  for n, id in ipairs(ids) do
    revive(id, at + math.floor((start + (n - 1) * spacing) / 1000))
    changed[id] = true
  end
  ring(changed)
  for n, id in ipairs(ids) do
    ids[n] = string.gsub(id, '\n', '?')
  end
  return table.concat(ids, '\n')
end)
