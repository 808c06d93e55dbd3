--- @exports add_marks remove_marks
--- @keys index marks
-- The index of a shard: jobs are found in it by a field or a tag. A field and its value, or a tag, make a mark, a hash of 11 characters. The set `index`
-- contains the marks of unfinished jobs, each with the id of a job behind it, and the hash `marks` all marks of a job, so that no record is read to take a
-- job out of the index.
--
-- add_marks(ids_and_marks): puts jobs into the index: ids, each followed by its marks.
-- remove_marks(ids): takes jobs out of it; jobs that are not in it are left out.

-- Calls Redis with parts of a long list: Lua cannot unpack one of any length.
local function call(command, key, list)
  for i = 1, #list, 2000 do
    redis.call(command, key, unpack(list, i, math.min(i + 1999, #list)))
  end
end

function add_marks(ids_and_marks)
  local added, n = {}, 0
  for i = 1, #ids_and_marks, 2 do
    local id, all = ids_and_marks[i], ids_and_marks[i + 1]
    for first = 1, #all, 11 do
      added[n + 1], added[n + 2] = '0', string.sub(all, first, first + 10) .. id
      n = n + 2
    end
  end
  call('HSET', marks, ids_and_marks)
  call('ZADD', index, added)
end

function remove_marks(ids)
  if redis.call('TYPE', marks).ok == 'none' then
    return
  end
  local removed, n = {}, 0
  for i, all in ipairs(redis.call('HMGET', marks, unpack(ids))) do
    for first = 1, all and #all or 0, 11 do
      n = n + 1
      removed[n] = string.sub(all, first, first + 10) .. ids[i]
    end
  end
  call('ZREM', index, removed)
  redis.call('HDEL', marks, unpack(ids))
end
