--- @keys dead
-- The dead jobs: the set `dead` contains the id of each, with the time at which it died, ms. Other files only look there.
--
-- add_dead(time, id, ...): adds jobs. settle_dead follows once they are in no other set.
local function add_dead(...)
  redis.call('ZADD', dead, ...)
end

-- settle_dead(id, ...): puts the keys of dead jobs where they belong.
local function settle_dead()
end

-- remove_dead(id, ...): removes jobs while their facts are there; they need not be dead.
local function remove_dead(...)
  redis.call('ZREM', dead, ...)
end

-- place_of_dead(fact): of a job that dies or is dead, and holds its key until then, the due time, ms, by which it keeps its place when it is redriven; nil of
-- any other.
local function place_of_dead()
  return nil
end

-- restore_dead(time, id, place): adds a job that is put back, with such a place, or an empty one.
local function restore_dead(time, id)
  add_dead(time, id)
end
