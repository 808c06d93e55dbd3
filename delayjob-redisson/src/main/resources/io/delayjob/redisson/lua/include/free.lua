--- @keys dedupe
-- free(id, key): takes its dedupe key from a job that has finished, unless the key is kept for a time or another job has it
-- by now. A job without a key, which is an empty one, costs no command.
local function free(id, key)
  if key ~= '' then
    local entry = redis.call('HGET', dedupe, key)
    if entry == id .. '|s' or entry == id .. '|f' then
      redis.call('HDEL', dedupe, key)
    end
  end
end
