-- KEYS: those of each hold and ticket. ARGV: 1. run id, number of the heartbeat, client; 2. for each: attempt, token,
-- lease, 0 to confirm the hold, 1 to extend it, 2 for a ticket, length of the description, and the description of the
-- present holder or waiter, empty for a ticket whose description is still right; for a hold that is to be restored 4 more than 0 or 1, and after the length weight, kind, capacity and
-- lock-delay; for a reader 8 more, and its weight before the description. Answers: now, the longest rest of a grace period, then for each two numbers. A hold: deadline, 1 if
-- tickets queue | -1 0 expired | -2 0 revoked | -3 0 ask again. A ticket: token deadline | -2 0 gone | -3-remaining
-- position: how long the present holders may stay without renewal.

-- include clock.lua
-- include evidence.lua
-- include machine.lua

local number = struct.unpack('<d', args, 41)
local client = string.sub(args, 49)
local reply = { now, 0 }
urgent = true

-- Puts back a hold that the server may have forgotten; about tells its weight, kind, capacity and lock-delay. At a
-- capacity of 1 the larger token is the later grant; otherwise the order of tokens proves nothing, and over-commit
-- drains.
local function restore(attempt, token, lease, owner, about)
  if not about or number <= mark(client)[2] then
    return -3, 0
  end
  if idle() then
    record.k, record.n = about[2], about[3]
  end
  if record.n == 1 then
    for _, hold in ipairs(record.h) do
      if hold.t >= token then
        return -1, 0
      end
    end
    record.h = {}
  end
  -- Its grant was forgotten, but perhaps not its ticket, which would be granted a second time.
  withdraw(client, attempt)
  record.h[#record.h + 1] = {
    c = client, a = attempt, w = about[1], t = token, d = now + lease, l = about[4], k = 1, v = 0, s = owner
  }
  if token > high then
    high, grown = token, true
  end
  raise(client, attempt, 0)
  changed = true
  return now + lease, record.t > 0 and 1 or 0
end

local function confirm(attempt, token, lease, what, owner, about, weight)
  local hold = heldBy(client, attempt, token)
  if not hold then
    if grace > 0 then
      return restore(attempt, token, lease, owner, about)
    end
    return -1, 0
  end
  if hold.v == 1 then
    return -2, 0
  end
  -- Never shortens: a late heartbeat would cut a deadline that its client already believes in.
  if (what == 1 or hold.k == 0) and now + lease > hold.d then
    hold.d, changed = now + lease, true
  end
  if hold.k == 0 or hold.s ~= owner then
    hold.k, hold.s, changed = 1, owner, true
  end
  -- A writer has become a reader: the head of the queue may fit now.
  if weight and weight < hold.w then
    hold.w, changed = weight, true
    advance()
  end
  return hold.d, record.t > 0 and 1 or 0
end

local function ask(attempt, waiter)
  local hold = heldBy(client, attempt)
  if hold and hold.v == 0 then
    if #waiter > 0 and hold.s ~= waiter then
      hold.s, changed = waiter, true
    end
    return hold.t, hold.d
  end
  if isSpoilt() then
    -- Its client asks for a new ticket, and is told why there is none.
    withdraw(client, attempt)
    return -2, 0
  end
  local position, left = showPresence(client, attempt, waiter)
  if position then
    return -3 - left, position
  end
  return -2, 0
end

-- The expiry of a key that lives for a lease, as text: the leases of one client are mostly alike.
local expiries = {}

local function expiry(micros)
  if not expiries[micros] then
    expiries[micros] = string.format('%.0f', micros / 1000)
  end
  return expiries[micros]
end

-- For the only hold, without waiters: there is nothing to advance, no token to draw and no mark to raise. Does the same
-- as confirm, on the record as it is stored. Answers nothing in any other case.
local function confirmAlone(key, raw, attempt, token, lease, what, owner, weight)
  if string.byte(raw) ~= 1 or #raw < 91 then
    return
  end
  local deadline, heldToken, heldAttempt = struct.unpack('<ddd', raw, 2)
  if heldToken ~= token or heldAttempt ~= attempt or deadline <= now or string.sub(raw, 26, 57) ~= client then
    return
  end
  local claimed, revoked = string.byte(raw, 90, 91)
  if revoked ~= 48 or weight and weight < struct.unpack('<d', raw, 74) then
    return
  end
  local extended = (what == 1 or claimed == 48) and math.max(deadline, now + lease) or deadline
  -- A renewal writes the description anyway, at no cost; the comparison only matters if nothing else would change.
  if extended > deadline or claimed == 48 or string.sub(raw, 92) ~= owner then
    local lockDelay = struct.unpack('<d', raw, 82)
    local renewed = struct.pack('<Bd', 1, extended) .. string.sub(raw, 10, 89) .. '10' .. owner
    redis.call('SET', key, renewed, 'PX', expiry(extended + lockDelay + @GRACE@ - now))
  end
  return extended
end

local mayExceed = false

local entries, at = ARGV[2], 1

local function beat(key, attempt, token, lease, what, owner, about, weight)
  recordKey, bucketKey = KEYS[key], KEYS[key + 1]
  local raw = redis.call('GET', recordKey)
  mayExceed = mayExceed or mayExceedMemory()
  -- A client that knows of a grace period is told how long it lasts still.
  local deadline = what ~= 2 and raw and not about
    and confirmAlone(recordKey, raw, attempt, token, lease, what, owner, weight)
  if deadline then
    return deadline, 0
  end
  load(key, nil, raw)
  reply[2] = math.max(reply[2], grace)
  advance()
  local first, second
  if what == 2 then
    first, second = ask(attempt, owner)
  else
    first, second = confirm(attempt, token, lease, what, owner, about, weight)
  end
  save()
  return first, second
end

for key = 1, #KEYS, 3 do
  local attempt, token, lease, what, length = struct.unpack('<ddddd', entries, at)
  at = at + 40
  local about, weight
  local reads = what >= 8
  what = reads and what - 8 or what
  if what >= 4 then
    about = { struct.unpack('<dddd', entries, at) }
    what, at = what - 4, at + 32
  end
  if reads then
    weight, at = struct.unpack('<d', entries, at), at + 8
  end
  local owner = string.sub(entries, at, at + length - 1)
  at = at + length
  local done, first, second = pcall(beat, key, attempt, token, lease, what, owner, about, weight)
  if not done then
    -- If a foreign key replaced a record, the holds in that record are lost, but not the other locks of its client.
    local said = type(first) == 'table' and first.err or first
    if not string.find(said, 'WRONGTYPE', 1, true) then
      error(first, 0)
    end
    first, second = what == 2 and -2 or -1, 0
  end
  reply[#reply + 1], reply[#reply + 2] = first, second
end
-- include publish.lua
return reply
