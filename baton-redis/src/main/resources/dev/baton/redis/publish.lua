-- The end of each script that may grant. Pushes are hints: a channel that may not be used must not fail the work that is
-- already done.
if pushes then
  for i = 1, #pushes, 2 do
    redis.pcall('@PUBLISH@', pushes[i], pushes[i + 1])
  end
end
