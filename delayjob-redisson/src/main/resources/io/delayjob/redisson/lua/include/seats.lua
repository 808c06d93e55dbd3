--- @keys seats
--- @exports seat_at new_seat keep_seats time_of with_seat
-- A seat is the due time of a job in 15 digits and the number of its submit in 15 digits. A job that a claim handed out or passed on gets back into
-- the lane with the same number; with a strict order also with the same due time, so that its key waits for it, unless it is due before that.
local LONGEST = 999999999999999

-- The seat with a time, and with a number in 15 digits. Most jobs of a call have the same time.
local seat_time, seat_start
function seat_at(time, number)
  if time ~= seat_time then
    seat_time, seat_start = time, string.format('%015d', math.max(0, math.min(tonumber(time), LONGEST)))
  end
  return seat_start .. number
end

-- A seat behind those that were given before. keep_seats() notes these, once all are given.
local last_seat
function new_seat(time)
  last_seat = (last_seat or tonumber(redis.call('GET', seats)) or 0) % LONGEST + 1
  return seat_at(time, string.format('%015d', last_seat))
end

function keep_seats()
  if last_seat then
    redis.call('SET', seats, string.format('%.0f', last_seat))
  end
end

function time_of(seat)
  return tonumber(string.sub(seat, 1, 15))
end

-- The facts of a job with another seat.
function with_seat(packed, seat, taken)
  local from, to = string.find(packed, '|seat=' .. seat .. '|', 1, true)
  return string.sub(packed, 1, from + 5) .. taken .. string.sub(packed, to)
end
