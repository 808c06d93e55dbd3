--- @keys dedupe
-- free(id, key): frees the dedupe key of a job that has finished, unless the key is kept for a fixed time or another job holds it
-- by now. An empty key, for a job without one, costs no command.
local function free(id, key)
  if key ~= '' then
    local scope, owner = string.match(redis.call('HGET', dedupe, key) or '', '^scope=(%w+)[^\n]-|id=([^\n]*)$')
    if owner == id and (scope == 's' or scope == 'f') then
      redis.call('HDEL', dedupe, key)
    end
  end
end
