-- KEYS: those of the name. ARGV: run id, attempt, number, client. Answers: now, rest of the grace period.

-- include clock.lua
-- include evidence.lua
-- include machine.lua

local attempt, number = struct.unpack('<dd', args, 41)
local client = string.sub(args, 57)
urgent = true
load(1, client)
raise(client, attempt, number)
local hold, at = heldBy(client, attempt)
while hold do
  table.remove(record.h, at)
  changed = true
  hold, at = heldBy(client, attempt)
end
withdraw(client, attempt)
advance()
mayExceedMemory()
save()
-- include publish.lua
return { now, grace }
