-- A job is in the shard of its key or dedupe key. If its id, which its caller has given, belongs to another shard, that one has a pointer to it, so that no
-- other job gets the id: the hash `pointers` has shard|token|ms for each such id, ms being when a submit was last told of it. Such a submit shows the pointer as
-- token:ms, for SHOWN ms at most, and stores nothing if the token is in the set `revoked`, which keeps it for OVER ms. A pointer is replaced only after it was
-- revoked in the shard it points to, where no job with that id was then. See docs/decisions/0143-ids-point-to-the-shards-of-their-keys.md.
local SHOWN, OVER = 300000, 900000

-- read_pointer(value): the shard, the token and the time of a pointer, as texts; nil for what is none.
local function read_pointer(value)
  local shard, token, millis = string.match(value or '', '^(%d+)|([%w_-]+)|(%d+)$')
  if shard and #shard < 10 and #millis < 16 then
    return shard, token, millis
  end
end
