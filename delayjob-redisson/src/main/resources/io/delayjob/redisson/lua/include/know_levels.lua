--- @keys prioritized
  -- Sets used_levels and used_keys from packed_levels, the value of `levels`, before the first write and before anything that waits is looked at. It is
  -- not a function, because each call of a script would make it anew. A shard with keys needs the scripts that know keys, see ScriptSource.
  used_levels, used_keys = packed_levels and #packed_levels < 11 and packed_levels or '', ''
  if used_levels ~= '' then
    if string.find(used_levels, 'k', 1, true) then
      error('DELAYJOB the shard has keys', 0)
    end
    check_key(prioritized, 'zset')
  end
