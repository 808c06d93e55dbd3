-- ms(number): a time as it is written. due_of(score): a due time as its score has it, mostly text that is in order.
local function ms(number)
  return string.format('%.0f', number)
end

local function due_of(score)
  return #score <= 15 and not string.find(score, '%D') and score or ms(math.max(0, tonumber(score)))
end
