--- @exports valid_id
-- valid_id(id): whether an id is valid: not empty, at most 384 bytes, without control characters, and UTF-8. No submit makes any
-- other id, and a node could not refer to one, because bytes that are not UTF-8 are changed on the way.

-- Where the character at i ends; nil if there is no valid character.
local function character_end(id, i)
  local first = string.byte(id, i)
  -- A table of these would be built at every call of the script.
  local second = first == 0xE0 and '[\160-\191]' or first == 0xED and '[\128-\159]' or first == 0xF0 and '[\144-\191]'
    or first == 0xF4 and '[\128-\143]' or '[\128-\191]'
  if first < 0x80 then
    return i
  elseif first >= 0xC2 and first < 0xE0 then
    return select(2, string.find(id, '^' .. second, i + 1))
  elseif first >= 0xE0 and first < 0xF0 then
    return select(2, string.find(id, '^' .. second .. '[\128-\191]', i + 1))
  elseif first >= 0xF0 and first < 0xF5 then
    return select(2, string.find(id, '^' .. second .. '[\128-\191][\128-\191]', i + 1))
  end
end

function valid_id(id)
  if #id == 0 or #id > 384 then
    return false
  end
  -- One search is enough for most ids.
  local i = string.find(id, '[%z\1-\31\127-\255]')
  if i and string.find(id, '[%z\1-\31\127]') then
    return false
  end
  while i and i <= #id do
    local last = character_end(id, i)
    i = last and last + 1
    if not i then
      return false
    end
  end
  return true
end
