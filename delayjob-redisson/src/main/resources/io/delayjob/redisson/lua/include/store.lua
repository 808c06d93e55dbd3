--- @keys jobs
--- @include marks
-- store(id, due, body, terms): collects a new job: its due time, ms; the record's JSON after its opening fields; and its terms, see
-- include/terms.lua, nil for none.
-- overwrite(id): the next flush writes another job under this id.
-- flush(): writes all collected jobs, so that many jobs cost few commands.
local opening, records, dues, news = string.format('{"v":1,"at":%d,', at), {}, {}, nil
local indexed, overwritten

local function store(id, due, body, terms)
  local n = #records
  records[n + 1], records[n + 2] = id, opening .. body
  dues[n + 1], dues[n + 2] = string.format('%d', due), id
  if terms and terms.facts then
    news = news or {}
    news[#news + 1] = id
    news[#news + 1] = terms.facts
  end
  local all = marks_of(body)
  if all then
    indexed = indexed or {}
    indexed[#indexed + 1] = id
    indexed[#indexed + 1] = all
  end
  if steps then
    note('SUBMIT', 'D', id, nil, dues[n + 1])
    add_field('lease', terms and terms.lease)
    add_field('priority', terms and terms.priority)
    add_field('dedupe', terms and terms.dedupe)
    add_field('tag', terms and terms.tag)
    add_field('record', records[n + 2])
  end
end

local function overwrite(id)
  overwritten = { id }
end

local function flush()
  if #records > 0 then
    redis.call('HSET', jobs, unpack(records))
    if indexed or overwritten then
      --- @include index
      if overwritten then
        remove_marks(overwritten)
      end
      if indexed then
        add_marks(indexed)
      end
      indexed, overwritten = nil, nil
    end
    if news then
      redis.call('HSET', facts, unpack(news))
    end
    add_new_waiting(unpack(dues))
  end
end
