--- @keys dead
-- job_exists(id): whether there is an unfinished job with this id: it waits, is reserved or dead.
local function job_exists(id)
  return (waits_until(id) or reserved_until(id) or checked('ZSCORE', dead, id)) and true
end
