--- @keys waiting reserved dead
-- stands(id): whether a job has its place in one of the sets, which are waiting, reserved and dead.
local function stands(id)
  for _, set in ipairs({ waiting, reserved, dead }) do
    if redis.call('ZSCORE', set, id) then
      return true
    end
  end
end
