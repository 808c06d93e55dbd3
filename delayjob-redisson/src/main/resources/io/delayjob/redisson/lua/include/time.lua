-- ms(number): a time in ms as text. due_of(score): the due time of a score as text; most scores already have that form.
local function ms(number)
  return string.format('%.0f', number)
end

local function due_of(score)
  return #score <= 15 and not string.find(score, '%D') and score or ms(math.max(0, tonumber(score)))
end
