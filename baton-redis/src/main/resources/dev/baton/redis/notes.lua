-- Reads and writes the note of a name. KEYS: record, bucket and note. ARGV: run id, then
--   R  to read the note
--   W  to write it, if a hold is present and excludes all others: client, attempt, token of the hold, the note
--   P  to put it back in a grace period: the note
--   F  to forget it
-- Answers: now, the rest of the grace period; then to R the note (nothing if there is none), otherwise 1 if it was done, 0
-- if it was refused, 2 if the grace period has to end first, or the hold to be put back.
--
--   note  string  byte 1, public token of the lease that wrote it, number of the write (a whole number of 8 bytes), value.
--                 The key never expires.
--
-- Does not advance the name, and does not change its record.

-- include clock.lua
-- include evidence.lua
-- include record.lua

local what = string.byte(args, 41)
local reads, writes, restores = what == 82, what == 87, what == 80

-- The part of a note that orders it. Numbers may be above 2^53, so their halves are compared.
local function orderOf(note)
  return struct.unpack('<dI4i4', note, 2)
end

local function isNewer(note, other)
  if not other then
    return true
  end
  local token, low, high = orderOf(note)
  local otherToken, otherLow, otherHigh = orderOf(other)
  if token ~= otherToken then
    return token > otherToken
  end
  return high > otherHigh or high == otherHigh and low > otherLow
end

local function mayWrite(raw, client, attempt, token, note, present)
  local record = raw and parse(raw) or { h = {} }
  for _, hold in ipairs(record.h) do
    -- In a grace period, one that is over may have been renewed since: its client puts it back.
    if hold.a == attempt and hold.c == client and hold.t == token and hold.d > now then
      local excludes = record.k ~= @SEMAPHORE@ and hold.w >= record.n
      return true, excludes and (not present or orderOf(present) <= orderOf(note))
    end
  end
  return false, false
end

-- Everything is read before anything is written, also the evidence.
local present = redis.call('GET', KEYS[3])
if present and (string.byte(present) ~= 1 or #present < 17 or #present > 17 + @MOST_NOTE@) then
  error('WRONGTYPE a note that is not one', 0)
end
local note, holds, allowed
if writes then
  local attempt, token = struct.unpack('<dd', args, 74)
  note = string.sub(args, 90)
  holds, allowed = mayWrite(redis.call('GET', KEYS[1]), string.sub(args, 42, 73), attempt, token, note, present)
elseif restores then
  note = string.sub(args, 42)
end

-- Full memory refuses only new notes.
urgent = not writes
local grace = graceOf(KEYS[2], redis.call('HGET', KEYS[2], 'w'))
if reads then
  return { now, grace, present }
end
local done
if writes then
  done = not holds and grace > 0 and 2 or allowed and 1 or 0
elseif restores then
  done = grace > 0 and 1 or 0
else
  done = grace > 0 and 2 or present and 1 or 0
end
if done == 1 and note then
  -- Also if nothing changes: a WAIT proves something only behind a write of its own connection.
  redis.call('SET', KEYS[3], isNewer(note, present) and note or present)
elseif done == 1 then
  redis.call('DEL', KEYS[3])
end
return { now, grace, done }
