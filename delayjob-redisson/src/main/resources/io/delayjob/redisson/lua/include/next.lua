-- ms_to_next(at, ahead, grace_end): ms until the next claim is worthwhile, -1 if nothing waits. That is when the next lease runs out,
-- or at the end of the grace period if that is later; or half of `ahead` before the next job is due, so that the claim finds more than
-- this one job.
local function ms_to_next(at, ahead, grace_end)
  local _, due = first_waiting()
  local expiry = first_reserved_until()
  if not due and not expiry then
    return -1
  end
  local lost = math.max(tonumber(expiry or due), expiry and grace_end or 0)
  local next = due and tonumber(due) - math.floor(ahead / 2) or lost
  return math.max(0, math.min(next, lost, 9e15) - at)
end
