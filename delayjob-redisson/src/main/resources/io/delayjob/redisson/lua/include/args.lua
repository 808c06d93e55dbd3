-- The arguments are sent as one value, a MessagePack array of strings. Each script begins with this line, which unpacks them into
-- ARGV.
local ARGV = cmsgpack.unpack(ARGV[1])
