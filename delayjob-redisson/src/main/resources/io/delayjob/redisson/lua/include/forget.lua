--- @keys jobs facts errors progress
--- @include index
-- forget(ids): removes what is known about jobs that are in no set any more, except their dedupe keys, see include/free.lua. Features that a queue does not use
-- cost its jobs nothing. The documented user of a producer may ask for a type, but not whether a key exists.
local function forget(ids)
  remove_marks(ids)
  redis.call('HDEL', jobs, unpack(ids))
  redis.call('HDEL', facts, unpack(ids))
  for _, hash in ipairs({ errors, progress }) do
    if redis.call('TYPE', hash).ok ~= 'none' then
      redis.call('HDEL', hash, unpack(ids))
    end
  end
end
