-- The arguments come as one value, a MessagePack array of strings. Each script begins with this and finds them in ARGV.
local ARGV = cmsgpack.unpack(ARGV[1])
