-- marks_of(record): the marks of a job, which the last field of its record states, one after the other: ,"index":"…"}; nil for none. Each is a hash of
-- 11 characters, see include/index.lua. No param ends like this: a text in it has its quotation marks escaped, and an object ends with a brace of its own.
local function marks_of(record)
  -- A plain search takes a ninth of the time of a pattern. A param may have such a field too.
  local from = string.sub(record, -2) == '"}' and string.find(record, ',"index":"', -220, true)
  while from do
    local all = string.match(record, '^,"index":"([%w_-]+)"}$', from)
    if all then
      return #all % 11 == 0 and all or nil
    end
    from = string.find(record, ',"index":"', from + 1, true)
  end
end

-- is_among(mark, all): whether a mark is one of several.
local function is_among(mark, all)
  for i = 1, #all, 11 do
    if string.sub(all, i, i + 10) == mark then
      return true
    end
  end
  return false
end
