-- check_keys(): fails with the name of the key if one of the script's keys has the wrong type. It comes before the first write,
-- because Redis does not undo the writes of a failing script. A key that is only tested for existence or overwritten may have any
-- type.
-- check_key(key, type): the same for one key.
local function check_key(key, type)
  local is = redis.call('TYPE', key).ok
  if is ~= 'none' and is ~= type then
    error('WRONGTYPE ' .. key .. ' is a ' .. is .. ' and should be a ' .. type)
  end
end

local function check_keys()
  for i, key in ipairs(KEYS) do
    if KEY_TYPES[i] then
      check_key(key, KEY_TYPES[i])
    end
  end
end
