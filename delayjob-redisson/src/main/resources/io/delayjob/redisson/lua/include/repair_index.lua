--- @exports repair_index
--- @keys jobs index marks
--- @include marks
--- @include index
-- The index may have a job that is gone, because a node of a release without an index finished it; or one of its two keys was deleted or evicted.
--
-- repair_index(): examines some random jobs of the index, and puts it right for them.
local function mend(id)
  local all = job_exists(id) and marks_of(redis.call('HGET', jobs, id) or '')
  if all then
    add_marks({ id, all })
  else
    remove_marks({ id })
  end
  return all or ''
end

function repair_index()
  for _, member in ipairs(redis.call('ZRANDMEMBER', index, 20)) do
    local all = mend(string.sub(member, 12))
    if not is_among(string.sub(member, 1, 11), all) then
      redis.call('ZREM', index, member)
    end
  end
  for _, id in ipairs(redis.call('HRANDFIELD', marks, 20)) do
    mend(id)
  end
end
