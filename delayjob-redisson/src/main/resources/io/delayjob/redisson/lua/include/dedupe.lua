--- @keys facts dedupe windows
-- The hash `dedupe` contains, for each dedupe key, which job took it last and for how long, as scope=|id=: scope is s until that
-- job is started, f until it is finished, or the time until which the key is kept, ms; keys of the last kind are also in the set
-- `windows`. The id is the last field; another release may add fields between the two, which readers ignore. An entry may be out of
-- date, so it is checked when it is read.
--
-- first_of(key, at): the id of the job that holds the key, nil if the key is free; and whether that job still waits for its first
-- attempt. Within a window the job may no longer exist.
local function first_of(key, at)
  local scope, id = string.match(redis.call('HGET', dedupe, key) or '', '^scope=(%w+)[^\n]-|id=([^\n]*)$')
  if not id then
    return nil
  end
  local fact = unpack_facts(redis.call('HGET', facts, id))
  local its = fact.key == key
  local waits = its and waits_until(id)
  local fresh = waits and fact.attempt == 0
  local taken
  if scope == 's' then
    taken = fresh
  elseif scope == 'f' then
    taken = waits or its and reserved_until(id)
  else
    taken = (tonumber(scope) or 0) > at
  end
  if taken then
    return id, fresh
  end
end

-- take(key, id, scope, at): gives the key to a job; scope is s, f, or the length of a window from now, ms.
local function take(key, id, scope, at)
  local window = tonumber(scope)
  if window then
    local over = string.format('%.0f', at + window)
    redis.call('HSET', dedupe, key, 'scope=' .. over .. '|id=' .. id)
    redis.call('ZADD', windows, over, key)
  else
    redis.call('HSET', dedupe, key, 'scope=' .. scope .. '|id=' .. id)
    redis.call('ZREM', windows, key)
  end
end
