--- @exports add_marks remove_marks
--- @keys index marks
-- The index of a shard: jobs that have a field or a tag are found by it. Each such pair has a mark, a hash of 11 characters. The set `index` contains the marks of
-- unfinished jobs, each with the id of a job behind it, and the hash `marks` has all marks of a job, so that no record is read to take it out of the index.
--
-- add_marks(jobs): puts jobs into the index: ids, each followed by its marks.
-- remove_marks(ids): takes jobs out of it, of which most need not be in it.

-- The members of a job, or the same with another text in front of each.
local function members_of(id, all, before)
  local members = {}
  for i = 1, #all, 11 do
    members[#members + 1] = before
    members[#members + 1] = string.sub(all, i, i + 10) .. id
  end
  return members
end

-- Calls Redis with parts of a long list: Lua cannot unpack one of any length.
local function call(command, key, list)
  for i = 1, #list, 2000 do
    redis.call(command, key, unpack(list, i, math.min(i + 1999, #list)))
  end
end

local function append(list, others)
  for _, one in ipairs(others) do
    list[#list + 1] = one
  end
end

function add_marks(ids_and_marks)
  local added = {}
  for i = 1, #ids_and_marks, 2 do
    append(added, members_of(ids_and_marks[i], ids_and_marks[i + 1], '0'))
  end
  call('HSET', marks, ids_and_marks)
  call('ZADD', index, added)
end

function remove_marks(ids)
  if redis.call('TYPE', marks).ok == 'none' then
    return
  end
  local removed = {}
  for n, all in ipairs(redis.call('HMGET', marks, unpack(ids))) do
    append(removed, all and members_of(ids[n], all) or {})
  end
  call('ZREM', index, removed)
  redis.call('HDEL', marks, unpack(ids))
end
