--- @keys jobs
-- records_of(ids, most_bytes): the records of the first of these jobs, as many as fit, but at least one unless most_bytes is 0.
-- Reads ten records at a time, so that few long records are read in vain. A missing record is false.
local function records_of(ids, most_bytes)
  local records, bytes = {}, 0
  for first = 1, most_bytes > 0 and #ids or 0, 10 do
    for _, record in ipairs(redis.call('HMGET', jobs, unpack(ids, first, math.min(first + 9, #ids)))) do
      bytes = bytes + (record and #record or 0)
      if bytes > most_bytes and #records > 0 then
        return records
      end
      records[#records + 1] = record
    end
  end
  return records
end
