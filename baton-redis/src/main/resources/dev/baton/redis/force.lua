-- KEYS: those of the name. ARGV: run id, token (0 for a time in which nothing is granted), 1 to free at once. Answers:
-- now, 1 if found.

-- include clock.lua
-- include evidence.lua
-- include machine.lua

local token, immediately = struct.unpack('<dd', args, 41)
urgent = true
load(1)
advance()
local found = 0
if token == 0 and record.b > now then
  record.b, found, changed = 0, 1, true
end
for at = #record.h, 1, -1 do
  local hold = record.h[at]
  if hold.t == token and hold.c ~= nobody then
    found, changed = 1, true
    if immediately == 1 then
      table.remove(record.h, at)
    else
      hold.v = 1
    end
  end
end
advance()
mayExceedMemory()
save()
-- include publish.lua
return { now, found }
