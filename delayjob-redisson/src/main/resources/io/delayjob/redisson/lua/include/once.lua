-- once(number, step): runs a step that changes jobs and answers a string, and makes its entry in the flow log; or returns the first
-- answer to a repeat. The step gets what open_log returns.
local function once(number, step)
  local answer, packed = recall(number)
  if not answer then
    answer = remember(number, step(open_log(packed)))
    if steps then
      close_log()
    end
  end
  return answer
end
