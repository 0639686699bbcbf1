-- KEYS: record of each hold and ticket. ARGV: 1. run id, clock, client; 2. for each: attempt, token,
-- lease, and 0 to confirm the hold, 1 to extend it, 2 for a ticket. Answers: now, then for each two numbers.
-- A hold: deadline 0 | -1 0 expired | -2 0 revoked. A ticket: token deadline | -1 position | -2 0 gone.

-- include clock.lua
-- include machine.lua

local client = string.sub(args, 49)
local reply = { now }

local function confirm(attempt, token, lease, what)
  local hold = heldBy(client, attempt)
  if not hold or hold.t ~= token then
    return -1, 0
  end
  if hold.v == 1 then
    return -2, 0
  end
  -- Never shortens: a late heartbeat would cut what its client already believes in.
  if (what == 1 or hold.k == 0) and now + lease > hold.d then
    hold.d, changed = now + lease, true
  end
  if hold.k == 0 then
    hold.k, changed = 1, true
  end
  return hold.d, 0
end

local function ask(attempt)
  local hold = heldBy(client, attempt)
  if hold and hold.v == 0 then
    return hold.t, hold.d
  end
  local position = showPresence(client, attempt)
  if position then
    return -1, position
  end
  return -2, 0
end

for entry = 1, #KEYS do
  load(KEYS[entry])
  if entry == 1 then
    mayExceedMemory()
  end
  advance()
  local attempt, token, lease, what = struct.unpack('<dddd', ARGV[2], entry * 32 - 31)
  if what == 2 then
    reply[#reply + 1], reply[#reply + 2] = ask(attempt)
  else
    reply[#reply + 1], reply[#reply + 2] = confirm(attempt, token, lease, what)
  end
  save()
end
publish()
return reply
