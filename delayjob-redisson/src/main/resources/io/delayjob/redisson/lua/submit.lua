-- Stores new jobs and lets them wait for their time. An id that exists stays as it is.
--
-- KEYS  1 jobs       HASH id -> record
--       2 waiting    ZSET id -> due, ms
--       3 facts      HASH id -> packed facts, written only for a job with a lease of its own
--       4 ready      LIST of ids, the doorbell
--       5 watermark  STRING ms
--       6 memo       STRING of the lane
-- ARGV  1 number of the call; then for each job (at most 500)
--       id
--       when: +ms from now, or @ms since 1970
--       lease, ms, or empty
--       the record's JSON behind its opening fields
-- Returns one character for each job: 1 stored, 0 the id exists.
-- Cost  O(log waiting) for each job.
--- @include memo
--- @include now
--- @include ring
local jobs, waiting, facts, ready, watermark, memo = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local number = ARGV[1]

return once(memo, number, function()
  local ids = {}
  for i = 2, #ARGV, 4 do
    ids[#ids + 1] = ARGV[i]
  end
  local existing = redis.call('HMGET', jobs, unpack(ids))
  -- A key of the wrong type must fail here, before the first write: a script that fails is not rolled back.
  redis.call('ZCARD', waiting)
  redis.call('HLEN', facts)
  redis.call('LLEN', ready)
  redis.call('GET', watermark)

  local at = now()
  local answer, records, dues, leases, changed = {}, {}, {}, {}, {}
  for n, id in ipairs(ids) do
    local arg = 4 * n - 2
    if existing[n] or changed[id] then
      answer[n] = '0'
    else
      answer[n] = '1'
      changed[id] = true
      local when = tonumber(string.sub(ARGV[arg + 1], 2))
      local due = string.sub(ARGV[arg + 1], 1, 1) == '+' and at + when or when
      records[#records + 1] = id
      records[#records + 1] = string.format('{"v":1,"at":%.0f,', at) .. ARGV[arg + 3]
      dues[#dues + 1] = string.format('%.0f', due)
      dues[#dues + 1] = id
      if ARGV[arg + 2] ~= '' then
        leases[#leases + 1] = id
        leases[#leases + 1] = '|0||' .. ARGV[arg + 2] .. '||'
      end
    end
  end
  if #records > 0 then
    redis.call('HSET', jobs, unpack(records))
    redis.call('ZADD', waiting, unpack(dues))
    if #leases > 0 then
      redis.call('HSET', facts, unpack(leases))
    end
    ring(waiting, ready, watermark, changed)
  end
  return table.concat(answer)
end)
