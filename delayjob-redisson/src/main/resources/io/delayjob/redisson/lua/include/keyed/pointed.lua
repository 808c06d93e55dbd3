--- @keys pointers
  -- A job is in the shard of its key or dedupe key. If its id, which its caller has given, belongs to another shard, that one has a pointer to it, so that no other job
  -- gets the id: `pointers` has shard|token|ms for each such id, ms being when a submit was last told of it. Such a submit shows the pointer as token:ms, for five minutes at
  -- most, and stores nothing if it is in `revoked`. A pointer is replaced only after it was revoked in the shard it points to, where no job with that id was then.
  -- See docs/decisions/0143-ids-point-to-the-shards-of-their-keys.md.
  pointed = checked('HMGET', pointers, unpack(ids))
