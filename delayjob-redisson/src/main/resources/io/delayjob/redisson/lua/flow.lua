-- Keeps the flow log of a shard going, and reads what follows a position. If no log is kept, it begins with a step START. Safe to
-- repeat.
--
-- ARGV  1 the position to read after, or empty to begin with the first entry
--       2 the most entries to read (0 to 1000); fewer if they have more than 1 MiB, but at least one
--       3 the most entries that the log may have
--       4 ms for which the log is kept going
--       5 a term that was never used, for a shard without a fence
--       6 1 if the journal knows all jobs of the shard, else 0. If it does, and the entry at the position is in the log, it has compared;
--         see include/compared.lua
-- Returns { 1 if the entry at the position is in the log or none was given, else 0; the position of the last entry that was read, or the
--           given one, or 0-0; the last position of the log or 0-0; how many entries the log has; now ms; the fence, see include/fence.lua; then for each entry: its position,
--           how many fields and values follow, and these, see include/steps.lua }
-- Cost  O(entries read).
--- @keys journal flow
--- @include check
--- @include now
--- @include steps
--- @include fence
--- @include term
--- @include compared
local after, limit, bound, kept, term, compares = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6] == '1'
local MOST_BYTES, CHUNK = 1048576, 20

check_key(flow, 'stream')

local at = now()
local goes_on = open_log()
if goes_on ~= tonumber(bound) then
  -- First a removal, so that Redis does not refuse the rest when it is out of memory: see include/full.lua.
  redis.call('DEL', journal)
  if not goes_on then
    redis.call('XADD', flow, '*', 'at', string.format('%.0f', at), 'step', 'START', 'state', '-', 'id', '')
  end
  redis.call('SET', journal, bound, 'PX', kept)
elseif redis.call('PTTL', journal) < kept * 0.9 then
  redis.call('PEXPIRE', journal, kept)
end

local anchored, last_read, read, bytes = after == '', after, 0, 0
local answer = { 0, '0-0', '0-0', 0, at, read_fence() or begin_term(term) }

local function add(entry)
  local position, fields = entry[1], entry[2]
  local place = #answer + 2
  answer[place - 1], answer[place] = position, #fields
  for n, text in ipairs(fields) do
    bytes = bytes + #text
    answer[place + n] = text
  end
  last_read, read = position, read + 1
end

local from = after == '' and '-' or after
repeat
  -- The first entry may be the one at the position.
  local most = math.min(CHUNK, limit - read) + (read == 0 and after ~= '' and 1 or 0)
  local chunk = most > 0 and redis.call('XRANGE', flow, from, '+', 'COUNT', most) or {}
  for _, entry in ipairs(chunk) do
    if entry[1] == after then
      anchored = true
    elseif read < limit and (read == 0 or bytes < MOST_BYTES) then
      add(entry)
    end
  end
  from = '(' .. last_read
until #chunk < most or most == 0 or read == limit or bytes >= MOST_BYTES

if compares and anchored and after ~= '' then
  keep_compared(redis.call('MGET', compared)[1], at, '')
end
local last = redis.call('XREVRANGE', flow, '+', '-', 'COUNT', 1)[1]
answer[1] = anchored and 1 or 0
answer[2] = last_read == '' and answer[2] or last_read
answer[3] = last and last[1] or answer[3]
answer[4] = redis.call('XLEN', flow)
return answer
