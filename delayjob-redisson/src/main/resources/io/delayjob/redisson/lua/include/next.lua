-- ms_to_next(at, ahead, grace_end): ms until the next claim is worthwhile, -1 if nothing waits. That is when the next lease runs out,
-- or at the end of the grace period if that is later; or half of `ahead` before the next job is due, so that the claim finds more than
-- this one job.
local function ms_to_next(at, ahead, grace_end)
  local worthwhile = worthwhile_at(ahead)
  local expiry = first_reserved_until()
  if not worthwhile and not expiry then
    return -1
  end
  local lost = expiry and math.max(tonumber(expiry), grace_end) or math.huge
  return math.max(0, math.min(worthwhile or lost, lost, 9e15) - at)
end
