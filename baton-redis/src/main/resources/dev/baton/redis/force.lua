-- KEYS: those of the name. ARGV: run id, token, 1 to free at once. Answers: now, 1 if found.

-- include clock.lua
-- include evidence.lua
-- include machine.lua

local token, immediately = struct.unpack('<dd', args, 41)
urgent = true
load(1)
advance()
local found = 0
for at = #record.h, 1, -1 do
  local hold = record.h[at]
  if hold.t == token then
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
