-- A key of the wrong type stops a script before its first write, because Redis does not undo the writes of a failing script. A key that is
-- only tested for existence or overwritten may have any type.
-- check_keys(): fails with the name of the key if one of the script's keys has the wrong type.
-- check_key(key, type): the same for one key.
-- checked(...): runs a command which Redis refuses if its key has the wrong type, and then names the key. A script that reads a key
-- before its first write need not check it otherwise.
local function check_key(key, type)
  local is = redis.call('TYPE', key).ok
  if is ~= 'none' and is ~= type then
    error('WRONGTYPE ' .. key .. ' is a ' .. is .. ' and should be a ' .. type)
  end
end

local function check_keys()
  --- @types
  for i, key in ipairs(KEYS) do
    if types[i] then
      check_key(key, types[i])
    end
  end
end

local function checked(...)
  local answer = redis.pcall(...)
  if type(answer) == 'table' and answer.err then
    check_keys()
    error(answer.err, 0)
  end
  return answer
end
