--- @keys levels
-- The key `levels` says what a shard has ever had, so that a shard runs no command for the rest: a digit for each level of `prioritized`, see
-- include/waiting.lua, and the letter k for keys or limits. It is absent in a shard whose jobs all have the usual priority and no key. Nothing is
-- ever removed from it, because a job that runs or is dead may wait again.
--
-- used_levels: its digits; empty if it is absent or invalid. used_keys: the k, or empty. See include/know_levels.lua.
local used_levels, used_keys
