--- @keys pointers
  -- The same in a script that knows keys; see include/pointers.lua.
  pointed = checked('HMGET', pointers, unpack(ids))
