--- @plain use_key
-- The seat is known before the job is stored, so that its facts are written once. A job that was stored under this id before may have had another key.
function take_seat(id, lane, due)
  local has_key = lane ~= ''
  read_keys[id], read_seats[id] = has_key and lane, has_key and new_seat(due) or nil
  return read_seats[id]
end
