--- @keys jobs reserved dead facts errors
-- A job that has a record stands in exactly one of the sets. Where somebody removed a key from behind, or Redis evicted one, it
-- may stand in none, and nothing would ever come to it.
--
-- mend(at, lease): looks at some jobs, others each time. One that was handed out gets a lease again: if
-- its node is alive, it renews it, and if not, another one has the job when the lease is over. Of one that waited nobody knows
-- when it is due: it is dead, with that reason.
local function mend(at, lease)
  for _, hash in ipairs({ facts, jobs }) do
    for _, id in ipairs(redis.call('HRANDFIELD', hash, 20)) do
      if not stands(id) and redis.call('HEXISTS', jobs, id) == 1 then
        local fact = unpack_facts(redis.call('HGET', facts, id))
        if fact.token ~= '' then
          redis.call('ZADD', reserved, string.format('%.0f', at + (tonumber(fact.lease) or lease)), id)
        else
          redis.call('HSET', errors, id, 'it stood in no state: a key of the queue was removed or evicted, and its due time with it')
          redis.call('ZADD', dead, string.format('%.0f', at), id)
        end
      end
    end
  end
end
