-- Removes the entries of the flow log before a position, and rings if the log was full and is not any more. Safe to repeat. Removes nothing if the
-- position has no entry: the call may have come late, to an older state of the data, whose log is not written.
--
-- ARGV  1 the position; its entry stays
-- Returns how many entries the log has then.
-- Cost  O(entries removed).
--- @keys ready
--- @include check
--- @include now
--- @include steps
--- @include room

check_keys()

local bound = open_log()
local was_full = log_is_full(bound)
check_key(flow, 'stream')
if #redis.call('XRANGE', flow, ARGV[1], ARGV[1]) > 0 then
  redis.call('XTRIM', flow, 'MINID', '=', ARGV[1])
end
if was_full and not log_is_full(bound) then
  redis.call('RPUSH', ready, '')
end
return redis.call('XLEN', flow)
