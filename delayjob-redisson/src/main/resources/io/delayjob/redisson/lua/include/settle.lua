--- @keys facts
-- settle(put, width, move): ends the claims in ARGV from the second argument on, each with `width` arguments: id, token, and those
-- of the script. If the claim still holds the job, move(fact, i) changes the facts as needed, including `lost` and `node`, and returns the
-- score with which `put` puts the job where it goes, or nil to leave it as it is; i is the index of the job's first argument. All jobs are
-- read in one command and written in few, so that many jobs cost few commands.
-- Returns one character for each job, 1 moved or 0 not held, and the set of the ids that moved.
local function settle(put, width, move)
  go_on_when_full()
  local ids = {}
  for i = 2, #ARGV, width do
    ids[#ids + 1] = ARGV[i]
  end
  local answer, moved, gone, after, scores = {}, {}, {}, {}, {}
  for n, packed in ipairs(redis.call('HMGET', facts, unpack(ids))) do
    local id, i = ids[n], width * (n - 1) + 2
    local fact = owns(packed, ARGV[i + 1]) and not moved[id] and unpack_facts(packed)
    local at = fact and move(fact, i)
    answer[n] = at and '1' or '0'
    if at then
      fact.token = ''
      local score = string.format('%.0f', at)
      local last = 2 * #gone
      gone[#gone + 1], moved[id] = id, true
      after[last + 1], after[last + 2] = id, pack_facts(fact)
      scores[last + 1], scores[last + 2] = score, id
    end
  end
  if #gone > 0 then
    redis.call('HSET', facts, unpack(after))
    put(unpack(scores))
    remove_reserved(unpack(gone))
  end
  return table.concat(answer), moved
end
