--- @keys levels
-- use_level(priority): adds the level of a priority to `levels`, before a job with that priority of its own is stored; empty for none.
local function use_level(priority)
  local level = priority ~= '' and string.format('%d', priority > '4' and priority - 1 or priority)
  if level and not string.find(used_levels, level, 1, true) then
    local keys_too = used_keys
    local packed_levels = used_levels .. level
    --- @include know_levels
    used_keys = keys_too
    redis.call('SET', levels, used_levels .. used_keys)
  end
end
