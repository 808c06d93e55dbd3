-- Stores the progress of jobs. Safe to repeat.
--
-- ARGV  for each job (at most 200)
--       id
--       token of the claim
--       percent=|text=, as it is stored; the text is the last field
-- Returns one character for each job: 1 stored, 0 the claim no longer holds the job.
-- Cost  O(1) for each job.
--- @keys facts progress
--- @include check
--- @include full
--- @include facts

check_keys()

go_on_when_full()
local answer = {}
for i = 1, #ARGV, 3 do
  local id, token, reported = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local held = owns(redis.call('HGET', facts, id), token)
  answer[#answer + 1] = held and '1' or '0'
  if held then
    redis.call('HSET', progress, id, reported)
  end
end
return table.concat(answer)
