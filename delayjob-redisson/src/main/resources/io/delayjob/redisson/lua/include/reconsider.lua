--- @keys limits blocked rates turns
-- reconsider(most): looks again at some of the keys that changed limits may hold back, or hold back no longer: those in `blocked`, then those in `rates`, then
-- those in `turns`. How far it has come is in the field `again` of `limits`, as set|score|key. Returns whether there are more.
local function reconsider(most)
  local again = redis.call('HGET', limits, 'again')
  local name, score, key = string.match(again or '', '^(%l+)|(%-?%d*)|(.*)$')
  local set = ({ blocked = blocked, rates = rates, turns = turns })[name]
  if not set then
    return false
  end
  local found, names = page(set, 0, score, key, most), {}
  for i = 1, #found, 2 do
    names[#names + 1] = found[i] ~= '' and found[i] or nil
  end
  for n, of_key in ipairs(limits_of(names)) do
    cap_rate(names[n], of_key.terms)
  end
  settle_keys(names)
  local next = ({ blocked = 'rates||', rates = 'turns||' })[name]
  if #found == 2 * most then
    next = name .. '|' .. whole(found[#found]) .. '|' .. found[#found - 1]
  end
  if next then
    redis.call('HSET', limits, 'again', next)
  else
    redis.call('HDEL', limits, 'again')
  end
  return next ~= nil
end
