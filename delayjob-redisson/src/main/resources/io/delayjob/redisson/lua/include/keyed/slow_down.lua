--- @include use_key
-- slow_down(fact, time): lets no job with the key of these facts begin for so many ms, or none of the shard if there is no key; empty for nothing.
local function slow_down(fact, time)
  if time ~= '' then
    local key = string.match(fact.others .. '|', '|lane=([^|]+)|')
    local field = key and 'slow:' .. key or 'slow'
    use_key('k')
    set_slow(field, time)
    shard_limits = nil
  end
end
