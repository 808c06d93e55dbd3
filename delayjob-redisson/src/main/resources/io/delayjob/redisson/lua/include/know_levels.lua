--- @keys prioritized
  -- Sets used_levels from packed_levels, the value of `levels`, before the first write and before anything that waits is looked at. It is not a
  -- function, because each call of a script would make it anew.
  used_levels = packed_levels and #packed_levels < 10 and packed_levels or ''
  if used_levels ~= '' then
    check_key(prioritized, 'zset')
  end
