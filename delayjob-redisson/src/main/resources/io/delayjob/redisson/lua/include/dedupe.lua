--- @keys waiting reserved facts dedupe windows
-- Who has a dedupe key. The hash `dedupe` holds for each key who took it last and for how long, scope=|id=: scope is s until that
-- job is started, f until it is finished, or the ms until which it is kept; keys of the last kind are in the set `windows` as well. The
-- id is the last field; those that another release adds stand between the two, and readers pass over them. An entry may be out of
-- date: it is judged when somebody asks.
--
-- first_of(key, at): the id of the job that has the key, nil if the key is free; and whether
-- that job still waits for its first attempt. Within a window the job may be gone.
local function first_of(key, at)
  local scope, id = string.match(redis.call('HGET', dedupe, key) or '', '^scope=(%w+)[^\n]-|id=([^\n]*)$')
  if not id then
    return nil
  end
  local fact = unpack_facts(redis.call('HGET', facts, id))
  local its = fact.key == key
  local waits = its and redis.call('ZSCORE', waiting, id)
  local fresh = waits and fact.attempt == 0
  local taken
  if scope == 's' then
    taken = fresh
  elseif scope == 'f' then
    taken = waits or its and redis.call('ZSCORE', reserved, id)
  else
    taken = (tonumber(scope) or 0) > at
  end
  if taken then
    return id, fresh
  end
end

-- take(key, id, scope, at): gives the key to a job; scope is s, f, or the ms of a window from now.
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
