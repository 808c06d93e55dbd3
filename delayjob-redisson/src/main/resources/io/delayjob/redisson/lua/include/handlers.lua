--- @keys nodes handlers
-- The hash `handlers` contains, for each node, the names of the jobs that it has a handler for, one per line; or an asterisk for a node
-- that can take any job.
local ANY_JOB = '*'

-- has(names, name): whether one of the lines is the name, or a node with these names can take any job.
local function has(names, name)
  return names == ANY_JOB or string.find('\n' .. names .. '\n', '\n' .. name .. '\n', 1, true) ~= nil
end

-- live_handlers(at): the names of each live node that has registered them.
local function live_handlers(at)
  local live = redis.call('ZRANGEBYSCORE', nodes, '(' .. string.format('%.0f', at), '+inf', 'LIMIT', 0, 1000)
  local live_names = {}
  for _, names in ipairs(#live > 0 and redis.call('HMGET', handlers, unpack(live)) or {}) do
    live_names[#live_names + 1] = names or nil
  end
  return live_names
end

-- some_have(live_names, name): whether one of the nodes has the name.
local function some_have(live_names, name)
  for _, names in ipairs(live_names) do
    if has(names, name) then
      return true
    end
  end
  return false
end
