-- KEYS: record. ARGV: run id, clock, attempt, lease, Q to queue or T to try, length and text of the key's expiry in
-- milliseconds (nothing if the weight never fits), client, kind, capacity, weight, lock-delay, '10', description.
-- Answers: now and token packed (granted for its whole lease) | 1 now position remaining | 2 now remaining queued
-- holders… | 3 now (stale) | 4 now kind capacity (mismatch) | 5 now token deadline (granted before).

-- include clock.lua
local attempt, lease = struct.unpack('<dd', args, 49)
local rest = 67 + string.byte(args, 66)
local client = string.sub(args, rest, rest + 31)
local key = KEYS[1]
local bucket = string.sub(key, 1, string.find(key, '}:r:', 1, true) + 1) .. 'b'

-- Nobody holds it or waits for it: nothing to advance. Setting the record only if there is none is the look whether
-- there is one.
local marked = redis.call('HMGET', bucket, 'h', client)
local high = marked[1] and struct.unpack('<d', marked[1]) or 0
local known, ended = 0, 0
if marked[2] then
  known, ended = struct.unpack('<dd', marked[2])
end
if attempt > known and rest > 67 then
  local token = math.max(high + 1, math.floor((now - @TOKEN_EPOCH@) * 2 / 125))
  local alone = struct.pack('<Bddd', 1, now + lease, token, attempt) .. string.sub(args, rest)
  if redis.call('SET', key, alone, 'NX', 'PX', string.sub(args, 67, rest - 1)) then
    redis.call('HSET', bucket, 'h', struct.pack('<d', token), client, struct.pack('<ddd', attempt, ended, now))
    if not marked[2] then
      -- A client that is new to a bucket pays for it by looking at some of the bucket's marks: those of clients that
      -- have been silent for longer than any command can be on its way are forgotten.
      local some = redis.call('HRANDFIELD', bucket, 4, 'WITHVALUES')
      for i = 1, #some, 2 do
        if some[i] ~= 'h' then
          local _, _, touched = struct.unpack('<ddd', some[i + 1])
          if touched + @MARK@ < now then
            redis.call('HDEL', bucket, some[i])
          end
        end
      end
    end
    return struct.pack('<dd', now, token)
  end
end

-- include machine.lua

local kind, capacity, weight, lockDelay = struct.unpack('<dddd', args, rest + 32)
local description = string.sub(args, rest + 66)
load(KEYS[1], client)

local function answer()
  advance()
  if idle() then
    record.k, record.n = kind, capacity
  elseif record.k ~= kind or record.n ~= capacity then
    return { 4, now, record.k, record.n }
  end
  local held = heldBy(client, attempt)
  if held then
    return held.v == 1 and { 3, now } or { 5, now, held.t, held.d }
  end
  local position = showPresence(client, attempt)
  if position then
    return { 1, now, position, remaining() }
  end
  if attempt <= mark(client)[1] then
    return { 3, now }
  end
  if record.t == 0 and record.b <= now and used() + weight <= record.n then
    return struct.pack('<dd', now, grant(client, attempt, weight, now + lease, lockDelay, 1, description).t)
  end
  if string.byte(args, 65) == 81 then
    return { 1, now, enqueue(client, attempt, weight, lockDelay, description), remaining() }
  end
  local refused = { 2, now, remaining(), record.t }
  for _, hold in ipairs(record.h) do
    refused[#refused + 1] = hold.s
  end
  return refused
end

local reply = answer()
save()
publish()
return reply
