-- check_keys(keys): fails, and names the key, if one of these, or without an argument one of all the script's keys, holds something
-- else than it should. It comes before the first write, because Redis does not roll a failing script back. What type a key has is told
-- by the last part of its name. A key that is only looked for or written over may be of any type, and has no line here.
local TYPES = {
  jobs = 'hash', waiting = 'zset', reserved = 'zset', dead = 'zset', facts = 'hash', errors = 'hash', progress = 'hash',
  dedupe = 'hash', windows = 'zset', finished = 'zset', archive = 'hash', outcomes = 'hash', epoch = 'string', ready = 'list',
  watermark = 'string', holder = 'string', nodes = 'zset', workers = 'hash', handlers = 'hash', hints = 'zset', memo = 'string',
}

local function check_keys(keys)
  for _, key in ipairs(keys or KEYS) do
    local is, should = redis.call('TYPE', key).ok, TYPES[string.match(key, '}:(%l+)')]
    if should and is ~= 'none' and is ~= should then
      error('WRONGTYPE ' .. key .. ' is a ' .. is .. ' and should be a ' .. should)
    end
  end
end
