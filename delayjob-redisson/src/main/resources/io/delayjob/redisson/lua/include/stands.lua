-- stands(sets, id): whether a job has its place in one of the sets, which are waiting, reserved and dead.
local function stands(sets, id)
  for _, set in ipairs(sets) do
    if redis.call('ZSCORE', set, id) then
      return true
    end
  end
end
