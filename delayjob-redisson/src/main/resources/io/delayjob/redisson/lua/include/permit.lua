--- @keys fence
-- permits(): for a call that may store journaled jobs; see include/fence.lua. Returns
--   is_late(permit)  whether a permit is not valid. While no flow log is kept none is, because the journal would not learn of the job;
--   use()            makes the permit of a relay invalid, if one was shown: it was for this call.
local function permits()
  local value, term, relayed

  local function is_late(permit)
    if not term then
      value, term = read_fence()
      term = steps and term or ''
    end
    if term == '' or permit ~= term and permit ~= value then
      return true
    end
    relayed = relayed or permit == value
  end

  local function use()
    if relayed then
      local relays = tonumber(string.match(value, '%d+$')) + 1
      redis.call('SET', fence, string.format('%s:%.0f', term, relays))
    end
  end

  return is_late, use
end
