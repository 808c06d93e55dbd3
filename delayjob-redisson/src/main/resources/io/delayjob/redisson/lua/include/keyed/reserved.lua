--- @plain reserved
--- @once lanes
-- The same in a shard with keys: a reserved job with a key is in `held` too. A job that is reserved no longer lets the next one of its key begin, and any
-- other one if the shard limits how many run at once. It needs the facts of the jobs, so they are removed later.
local add_plain_reserved = add_reserved
local extend_plain_reserved = extend_reserved
local remove_plain_reserved = remove_reserved

-- If no reserved job of the shard has a key, `held` is absent, and the facts of the jobs need not be searched for one.
function know_lanes(ids, packed)
  for n, id in ipairs(redis.call('EXISTS', held) == 1 and ids or {}) do
    local key, seat = lane_of(packed[n])
    read_keys[id], read_seats[id] = key or false, seat
  end
end

function add_reserved(...)
  add_plain_reserved(...)
  local given, ids = { ... }, {}
  for i = 2, #given, 2 do
    ids[#ids + 1] = given[i]
  end
  add_entries(held, ids)
end

function extend_reserved(time, id)
  extend_plain_reserved(time, id)
  add_entries(held, { id })
end

function remove_reserved(...)
  local shard, entries, names = limits_of_shard(), entries_of(redis.call('EXISTS', held) == 1 and { ... } or {})
  local was_full = shard.concurrency and running_in_shard() >= shard.concurrency
  remove_plain_reserved(...)
  if #entries > 0 and redis.call('ZREM', held, unpack(entries)) > 0 then
    -- Only keys that may begin no job can begin one now; often there are none.
    local freed = {}
    for n, is_blocked in ipairs(redis.call('EXISTS', blocked) == 1 and redis.call('ZMSCORE', blocked, unpack(names)) or {}) do
      freed[#freed + 1] = is_blocked and names[n] or nil
    end
    settle_keys(freed)
  end
  if was_full then
    ring_for(moment())
  end
end
