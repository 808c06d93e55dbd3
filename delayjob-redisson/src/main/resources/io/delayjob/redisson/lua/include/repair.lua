--- @keys jobs facts errors
-- A job that has a record either waits, or is reserved or dead. If somebody deleted a key, or Redis evicted
-- one, it may be none of these, and no claim would find it.
--
-- repair(at, lease): examines some random jobs. A job that was handed out gets a lease again: if its node is alive, it renews the
-- lease; if not, another node gets the job when the lease ends. For a job that waited, nobody knows when it is due, so it becomes
-- dead, with that reason.
local function repair(at, lease)
  for _, hash in ipairs({ facts, jobs }) do
    for _, id in ipairs(redis.call('HRANDFIELD', hash, 20)) do
      if not job_exists(id) and redis.call('HEXISTS', jobs, id) == 1 then
        local fact = unpack_facts(redis.call('HGET', facts, id))
        -- If only `levels` was lost, the job waits as soon as its level is there again, or is seen by the next scripts, which then know keys.
        use_level(string.match(fact.others .. '|', '|priority=(%d)|') or '')
        local has_key, knew_keys = string.find(fact.others, '|lane=', 1, true), used_keys ~= ''
        use_key(has_key and 'k' or '')
        if fact.token ~= '' then
          add_reserved(string.format('%.0f', at + (tonumber(fact.lease) or lease)), id)
        elseif (knew_keys or not has_key) and not job_exists(id) then
          local why, died = 'a queue key was deleted or evicted; the due time is lost', string.format('%.0f', at)
          redis.call('HSET', errors, id, why)
          add_dead(died, id)
          settle_dead(id)
          if steps then
            note('BURY', 'X', id, fact.attempt, died, why)
            add_field('place', place_of_dead(fact))
          end
        end
      end
    end
  end
end
