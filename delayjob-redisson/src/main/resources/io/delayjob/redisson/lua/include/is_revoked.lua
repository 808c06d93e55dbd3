--- @keys revoked
-- is_revoked(pointer): whether a pointer that a job shows does not count: it is too old, was revoked, or is none; see include/pointers.lua.
local function is_revoked(pointer)
  local token, since = string.match(pointer, '^([%w_-]+):(%d+)$')
  return not token or at - since > SHOWN or redis.call('ZSCORE', revoked, token)
end
