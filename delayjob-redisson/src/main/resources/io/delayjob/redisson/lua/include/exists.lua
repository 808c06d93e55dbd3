--- @keys waiting reserved dead
-- job_exists(id): whether there is an unfinished job with this id: it is in waiting, reserved or dead.
local function job_exists(id)
  for _, set in ipairs({ waiting, reserved, dead }) do
    if redis.call('ZSCORE', set, id) then
      return true
    end
  end
end
