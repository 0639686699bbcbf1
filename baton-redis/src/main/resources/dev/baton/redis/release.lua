-- KEYS: record. ARGV: run id, clock, number, token, attempt, client.
-- Answers: now if released, -now if there was no such hold.

-- include clock.lua

-- The only hold, and nobody waits: nothing to advance, and no mark to raise. Its grant has used its attempt up; the end
-- matters in a grace period alone, in which nothing goes this way.
local raw = redis.call('GET', KEYS[1])
if raw and string.byte(raw) == 1 and string.sub(raw, 10, 57) == string.sub(args, 57)
  and struct.unpack('<d', raw, 2) > now then
  redis.call('DEL', KEYS[1])
  return now
end

-- include machine.lua

local number, token, attempt = struct.unpack('<ddd', args, 49)
local client = string.sub(args, 73)
load(KEYS[1], client, raw)
advance()
raise(client, attempt, number)
local hold, at = heldBy(client, attempt)
local released = hold and hold.t == token
if released then
  table.remove(record.h, at)
  changed = true
else
  withdraw(client, attempt)
end
advance()
mayExceedMemory()
save()
publish()
return released and now or -now
