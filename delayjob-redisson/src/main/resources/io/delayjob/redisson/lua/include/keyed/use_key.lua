--- @plain use_key
-- The seat is known before the job is stored, so that its facts are written once.
function take_seat(id, lane, due)
  if lane == '' then
    return nil
  end
  read_keys[id], read_seats[id] = lane, new_seat(due)
  return read_seats[id]
end
