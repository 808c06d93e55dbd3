-- name_of(record): the name in a record of delayjob's format; nil if there is none. Names contain no control characters.
local function name_of(record)
  local name = string.match(record or '', '^{"v":1,"at":%d+,"job":"([^"\\]+)",')
  if name or not record then
    return name
  end
  local text = string.gsub(string.sub(record, 1, 2000), '\\(["\\])', { ['"'] = '\1', ['\\'] = '\2' })
  name = string.match(text, '^{"v":1,"at":%d+,"job":"([^"\\]+)",')
  return name and (string.gsub(name, '[\1\2]', { ['\1'] = '"', ['\2'] = '\\' }))
end
