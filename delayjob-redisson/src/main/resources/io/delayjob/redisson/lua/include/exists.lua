--- @keys waiting reserved dead
-- job_exists(id): whether there is an unfinished job with this id: it is in waiting, reserved or dead.
local function job_exists(id)
  return (checked('ZSCORE', waiting, id) or checked('ZSCORE', reserved, id) or checked('ZSCORE', dead, id)) and true
end
