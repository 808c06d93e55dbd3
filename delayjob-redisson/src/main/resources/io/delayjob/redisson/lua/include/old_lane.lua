-- A waiting job whose facts are written anew may have been in the lane of another key. lane_facts(id), before that, reads the old ones; leave_lane(id,
-- before), after that, removes it from that lane. A shard without keys needs neither.
local function lane_facts() end

local function leave_lane() end
