--- @keys pointers
  -- The same in a script that knows keys; see include/pointers.lua.
  pointed = #ids > 0 and checked('HMGET', pointers, unpack(ids))
