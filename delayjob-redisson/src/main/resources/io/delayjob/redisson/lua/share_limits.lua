-- Joins a round in which the shares of a queue's limits are moved between its shards, and says how this shard stands; or gives it another share.
--
-- ARGV  1 the round; a later one has a name that is higher by its bytes
--       2 the even share of the shard, which the other one is instead of; empty to join
--       3 the share, in the form of include/lanes.lua; empty to join
-- Returns, of a join, { the round that the shard has joined last, its even share, its share, how many of its jobs run, how many more could begin now, from when the
--         next may begin by the rate, ms from now, the version of the limits that were set }; else { the share that it has now }, which is empty, and nothing is
--         changed, if the shard has joined another round or has another even share. Of a concurrency it keeps what runs.
-- Cost  O(log jobs).
--- @include check
--- @include levels
--- @include reserved
--- @include waiting
--- @include now

local round, even, share = ARGV[1], ARGV[2], ARGV[3]

check_keys()
local packed_levels = redis.call('MGET', levels)[1]
--- @include know_levels

local shard = limits_of_shard()
local is_limited = string.find(shard.even, '=', 1, true)
if share ~= '' then
  if shard.round ~= round or shard.even ~= even or not is_limited then
    return {}
  end
  share = string.gsub(share, '|concurrency=(%d+)', function(most)
    local kept = math.min(count_reserved(), shard.concurrency or 0)
    return string.format('|concurrency=%d', math.max(tonumber(most), kept))
  end)
  redis.call('HSET', limits, 'lent', share)
  shard_changed()
  return { share }
end
local at = moment()
if shard.round < round and is_limited then
  redis.call('HSET', limits, 'round', round)
  shard.round = round
end
local begins = shard.spacing and begins_by_rate('', shard) - at or 0
return { shard.round, shard.even, shard.share, count_reserved(), count_startable(at), string.format('%.0f', begins), shard.version }
