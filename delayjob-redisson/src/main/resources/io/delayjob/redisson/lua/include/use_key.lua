--- @keys levels
-- use_key(lane): notes that the shard has keys, before a job with a key is stored; empty for none.
local function use_key(lane)
  if lane ~= '' and used_keys == '' then
    used_keys = 'k'
    redis.call('SET', levels, used_levels .. used_keys)
  end
end

-- take_seat(id, lane, due): gives a new job its seat in the lane of its key, for new_facts; nil without a key.
local function take_seat()
  return nil
end
