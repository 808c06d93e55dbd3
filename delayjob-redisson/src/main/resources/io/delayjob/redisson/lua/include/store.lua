--- @keys jobs facts
-- storing(at): returns
--   store(id, due, lease, key, body, given, tag)  collects a new job: its due time, ms; its own lease, ms, and its dedupe key, each
--                                     empty for none; the record's JSON after its opening fields; its dedupe as it was submitted; which
--                                     submit of the journal it was, if it was one
--   flush()                           writes all collected jobs, so that many jobs cost few commands
local function storing(at)
  local opening, records, dues, news = string.format('{"v":1,"at":%.0f,', at), {}, {}, {}

  local function store(id, due, lease, key, body, given, tag)
    local n = #records
    records[n + 1], records[n + 2] = id, opening .. body
    dues[n + 1], dues[n + 2] = string.format('%d', due), id
    if lease ~= '' or key ~= '' then
      local fact = unpack_facts()
      fact.lease, fact.key = lease, key
      news[#news + 1] = id
      news[#news + 1] = pack_facts(fact)
    end
    if steps then
      note('SUBMIT', 'D', id, nil, dues[n + 1])
      add_field('lease', lease)
      add_field('dedupe', given)
      add_field('tag', tag)
      add_field('record', records[n + 2])
    end
  end

  local function flush()
    if #records > 0 then
      redis.call('HSET', jobs, unpack(records))
      add_waiting(unpack(dues))
    end
    if #news > 0 then
      redis.call('HSET', facts, unpack(news))
    end
    records, dues, news = {}, {}, {}
  end

  return store, flush
end
