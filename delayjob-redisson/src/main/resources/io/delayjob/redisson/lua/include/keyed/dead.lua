--- @keys dead buried facts
--- @once lanes
-- The same in a shard with keys: a dead job with a key is in `buried` too, and its key waits for it if the order says so.

-- Puts those of the keys where they belong whose order lets dead jobs hold them.
local function settle_holding(names)
  local holding = {}
  for n, its in ipairs(limits_of(names)) do
    holding[#holding + 1] = its.terms.holds and names[n] or nil
  end
  settle_keys(holding)
end

local function add_dead(...)
  redis.call('ZADD', dead, ...)
  local given, ids = { ... }, {}
  for i = 2, #given, 2 do
    ids[#ids + 1] = given[i]
  end
  add_entries(buried, ids)
end

local function settle_dead(...)
  settle_holding(select(2, entries_of({ ... })))
end

local function remove_dead(...)
  redis.call('ZREM', dead, ...)
  local entries, names = entries_of({ ... })
  if #entries > 0 and redis.call('ZREM', buried, unpack(entries)) > 0 then
    settle_holding(names)
  end
end

local function place_of_dead(fact)
  local key, seat = lane_of(fact.others .. '|key=')
  if key and seat ~= '' and limits_of({ key })[1].terms.holds then
    return string.format('%.0f', string.sub(seat, 1, 15))
  end
end

local function restore_dead(time, id, place)
  if place ~= '' then
    local packed = redis.call('HGET', facts, id)
    local from, to = string.find(packed or '', '|seat=|', 1, true)
    if from then
      redis.call('HSET', facts, id, string.sub(packed, 1, from + 5) .. new_seat(place) .. string.sub(packed, to))
      keep_seats()
    end
  end
  add_dead(time, id)
  settle_dead(id)
end
