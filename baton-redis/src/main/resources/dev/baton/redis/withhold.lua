-- KEYS: those of the name. ARGV: run id, how many permits are granted to no client, capacity. Answers: now, 1 if done; if
-- the name stands for something else, 0, its kind and its capacity.

-- include clock.lua
-- include evidence.lua
-- include machine.lua

local weight, capacity = struct.unpack('<dd', args, 41)
urgent = weight == 0
load(1)
advance()
if idle() then
  record.k, record.n = @SEMAPHORE@, capacity
end
local reply = { now, 0, record.k, record.n }
if record.k == @SEMAPHORE@ and record.n == capacity then
  for at = #record.h, 1, -1 do
    if record.h[at].c == nobody then
      table.remove(record.h, at)
    end
  end
  if weight > 0 then
    record.h[#record.h + 1] = { c = nobody, a = 0, w = weight, t = 0, d = @FAR@, l = 0, k = 1, v = 0, s = '' }
  end
  changed, reply = true, { now, 1 }
end
advance()
if weight == 0 then
  mayExceedMemory()
end
save()
-- include publish.lua
return reply
