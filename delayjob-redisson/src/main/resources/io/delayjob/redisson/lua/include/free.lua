--- @keys dedupe
-- free(id, key): takes its dedupe key from a job that has finished, unless the key is kept for a time or another job has it
-- by now. A job without a key, which is an empty one, costs no command.
local function free(id, key)
  if key ~= '' then
    local scope, owner = string.match(redis.call('HGET', dedupe, key) or '', '^scope=(%w+)[^\n]-|id=([^\n]*)$')
    if owner == id and (scope == 's' or scope == 'f') then
      redis.call('HDEL', dedupe, key)
    end
  end
end
