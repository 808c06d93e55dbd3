--- @keys prioritized
  -- The same in a script that knows keys.
  used_levels = packed_levels and #packed_levels < 11 and string.gsub(packed_levels, '%D', '') or ''
  used_keys = packed_levels and string.find(packed_levels, 'k', 1, true) and 'k' or ''
  if used_levels ~= '' then
    check_key(prioritized, 'zset')
  end
