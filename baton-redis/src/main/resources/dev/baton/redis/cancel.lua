-- KEYS: record. ARGV: run id, attempt, number, client. Answers: now.

-- include clock.lua
-- include machine.lua

local attempt, number = struct.unpack('<dd', args, 41)
local client = string.sub(args, 57)
load(KEYS[1], client)
raise(client, attempt, number)
local hold, at = heldBy(client, attempt)
if hold then
  table.remove(record.h, at)
  changed = true
end
withdraw(client, attempt)
advance()
mayExceedMemory()
save()
publish()
return now
