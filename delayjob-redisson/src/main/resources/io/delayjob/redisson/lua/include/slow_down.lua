-- slow_down(fact, time): lets no job with the key of these facts begin for so many ms, or none of the shard if there is no key; empty for nothing. It needs a
-- script that knows keys.
local function slow_down() end
