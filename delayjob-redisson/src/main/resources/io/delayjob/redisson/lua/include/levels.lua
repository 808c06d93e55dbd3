--- @keys levels
-- The key `levels` says which levels of `prioritized` a shard has ever used, see include/waiting.lua: one digit for each. It is absent in a
-- shard whose jobs all have the usual priority, so that such a shard runs no command for the others. No digit is ever removed, because a job
-- that runs or is dead may wait again.
--
-- used_levels: the value of `levels`, empty if it is absent or invalid; see include/know_levels.lua.
local used_levels
