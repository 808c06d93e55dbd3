-- declare_limits(node, share, each): stores the limits that the queue has by the settings of a node; and reconsider_some() looks at some keys again if limits
-- have changed. A shard without keys has none.
local function declare_limits() end

local function reconsider_some() end
