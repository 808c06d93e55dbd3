-- Appends events to the stream if a server wants them. Not repeated: a second call would append them twice.
--
-- ARGV  kind, queue and JSON of each event (at most 200 events)
-- Returns 1 if they were appended, 0 if nobody wants them.
-- Cost  O(1) for each event.
--- @keys events wanted

local kept = string.match(redis.call('GET', wanted) or '', 'kept=(%d+)')
if not kept then
  return 0
end
for i = 1, #ARGV, 3 do
  redis.call(
    'XADD', events, 'MAXLEN', '~', kept, '*', 'kind', ARGV[i], 'queue', ARGV[i + 1], 'data', ARGV[i + 2])
end
redis.call('PEXPIRE', events, 3600000)
return 1
