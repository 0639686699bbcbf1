-- Runs acquires and releases of one client, all that are ready to be sent, in their order. KEYS: record of each. ARGV:
-- run id, client, then the fields of each command:
--   R, number, token, attempt
--   Q to queue or T to try, attempt, lease, length of the expiry (1 byte) and of the rest (4 bytes), the ticket's secret
--   (8 bytes), the key's expiry in milliseconds as text (nothing if the weight never fits), and the rest: kind, capacity,
--   weight, lock-delay, '10', description
-- Answers one command by itself, and several in a list. A release: now, or -now if there was no such hold. An acquire:
-- now and token packed (granted for its whole lease) | 1 now position remaining | 2 now remaining queued holders… |
-- 3 now (stale) | 4 now kind capacity (mismatch) | 5 now token deadline (granted before).

-- include clock.lua
local client = string.sub(args, 41, 72)
local at = 73
local machine

-- Runs the next command. Function calls are expensive, so the short ways of both kinds stand here, and the machine is
-- built only when it is first needed.
local function turn(key)
  local here, raw, marked, attempt, lease, about, number, token = at
  local releases = string.byte(args, here) == 82
  if releases then
    number, token, attempt = struct.unpack('<ddd', args, here + 1)
    at = here + 25
    raw = redis.call('GET', key)
    -- For the only hold, without waiters: nothing to advance, and no mark to raise. Its grant has used its attempt up;
    -- the end matters only in a grace period, in which no command takes this way.
    if raw and string.byte(raw) == 1 then
      local deadline, heldToken, heldAttempt = struct.unpack('<ddd', raw, 2)
      if heldToken == token and heldAttempt == attempt and deadline > now and string.sub(raw, 26, 57) == client then
        redis.call('DEL', key)
        return now
      end
    end
  else
    local short, long
    attempt, lease, short, long = struct.unpack('<ddBI4', args, here + 1)
    local from = here + 30 + short
    at = from + long
    about = string.sub(args, from, at - 1)
    -- Without holders and waiters there is nothing to advance. Setting the record only if there is none also checks
    -- that.
    local bucket = string.sub(key, 1, string.find(key, '}:r:', 1, true) + 1) .. 'b'
    marked = redis.call('HMGET', bucket, 'h', client)
    local known, ended
    if marked[2] then
      known, ended = struct.unpack('<dd', marked[2])
    end
    -- A client that is new to a bucket takes the general case once.
    if known and attempt > known and short > 0 then
      local high = marked[1] and struct.unpack('<d', marked[1]) or 0
      token = math.max(high + 1, math.floor((now - @TOKEN_EPOCH@) * 2 / 125))
      local alone = struct.pack('<Bddd', 1, now + lease, token, attempt) .. client .. about
      if token <= @MOST_TOKEN@ and redis.call('SET', key, alone, 'NX', 'PX', string.sub(args, here + 30, from - 1)) then
        redis.call('HSET', bucket, 'h', struct.pack('<d', token), client, struct.pack('<ddd', attempt, ended, now))
        return struct.pack('<dd', now, token)
      end
    end
  end
  machine = machine or (function()
-- include machine.lua
-- include longway.lua
  end)()
  if releases then
    return machine.release(key, raw, number, token, attempt)
  end
  local secret = string.byte(args, here) == 81 and string.sub(args, here + 22, here + 29)
  return machine.acquire(key, marked, attempt, lease, secret, about)
end

local answers
if #KEYS == 1 then
  answers = turn(KEYS[1])
else
  answers = {}
  for i = 1, #KEYS do
    local pushes = machine and machine.pushes() or 0
    local done, answer = pcall(turn, KEYS[i])
    if not done then
      -- As if it had come alone: this command has failed, the others have not, and no push reports a grant that was not
      -- written.
      answer = { err = type(answer) == 'table' and answer.err or answer }
      if machine then
        machine.unsay(pushes)
      end
    end
    answers[i] = answer
  end
end
if machine then
  machine.publish()
end
return answers
