-- log_is_full(bound): whether the flow log has as many entries as it may have; check_room(bound): fails if it has.
local function log_is_full(bound)
  return bound and redis.call('XLEN', flow) >= bound
end

local function check_room(bound)
  if log_is_full(bound) then
    error('FLOWFULL the flow log of the queue is full: ' .. redis.call('XLEN', flow) .. ' entries wait to be written to its journal, and '
      .. 'at most ' .. string.format('%.0f', bound) .. " may. Bring the journal's database back, or raise "
      .. 'delayjob.journal.max-flow-entries')
  end
end
