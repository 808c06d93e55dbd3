-- Makes nodes append their events for the next five minutes. Safe to repeat.
--
-- ARGV  1 how many events are kept
-- Returns { ms for which they have been wanted, id of the last event }. There is always one: the first entry of a stream says
-- that it began.
-- Cost  O(1).
--- @keys events wanted
--- @include now
local kept = ARGV[1]

local at = now()
-- If nobody wanted events, nodes appended none: what is kept has a hole, and must not pass for whole.
if redis.call('EXISTS', wanted) == 0 then
  redis.call('DEL', events)
end
-- Another release may add fields after these, which are kept unchanged.
local since, others = string.match(redis.call('GET', wanted) or '', '^kept=%d+|since=(%d+)(.*)$')
-- A clock that was set back must not make it later than now.
since = math.min(tonumber(since) or at, at)
redis.call('SET', wanted, string.format('kept=%s|since=%.0f', kept, since) .. (others or ''), 'PX', 300000)
local last = redis.call('XREVRANGE', events, '+', '-', 'COUNT', 1)[1]
local id = last and last[1] or redis.call('XADD', events, '*', 'kind', 'began')
redis.call('PEXPIRE', events, 3600000)
return { at - since, id }
