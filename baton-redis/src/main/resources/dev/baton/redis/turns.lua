-- Runs acquires and releases of one client, all that are ready to be sent, in their order. KEYS: those of each. ARGV:
-- run id, client, then the fields of each command:
--   R, number, token, attempt; or S, if its end must be recorded because there is a grace period; or K, and last for how
--   long nothing is granted after the release
--   Q to queue or T to try, attempt, lease, length of the expiry (1 byte) and of the rest (4 bytes), the ticket's secret
--   (8 bytes; for T the token that the hold shall have, unless there was a greater one; 0 for one by the clock), the key's expiry in milliseconds as text (nothing if the weight never fits), and the rest: kind, capacity,
--   weight, lock-delay, '10', description
-- Answers one command by itself, and several in a list. A release: now, or -now if there was no such hold. An acquire:
-- now and token packed (granted for its whole lease), or a list: 1 for a ticket, then its position and how long the
-- holders may stay; 2 for a lock that others hold, then how long they may stay, how many queue, and the holders; 3 for a
-- finished attempt; 4 for another kind or capacity, then these; 5 for an attempt that was granted before, then token
-- and deadline; 6 if nothing is granted in a grace period. In each list now and the rest of the grace period are second
-- and third.

-- include clock.lua
local client = string.sub(args, 41, 72)
local at = 73
local machine

-- Runs the next command. Function calls are expensive, so all short ways stand here, and the machine is built only when
-- it is first needed. A short way checks that the machine would do just the same; everything else is for the machine.
local function turn(key, args, now, client, me)
  local here, raw, marked, attempt, lease, about, number, token = at
  local what = string.byte(args, here)
  local call, cut, pack, read = redis.call, string.sub, struct.pack, struct.unpack
  local releases, keep = what == 82 or what == 83 or what == 75, 0
  if releases then
    number, token, attempt = read('<ddd', args, here + 1)
    at = here + 25
    if what == 75 then
      keep = read('<d', args, at)
      at = at + 8
    end
    raw = call('GET', KEYS[key])
    local form = raw and what == 82 and string.byte(raw)
    -- For the only hold, without waiters: nothing to advance, and no mark to raise. Its grant has used its attempt up;
    -- the end matters only to later commands that restore holds. Their client knows of the grace period, and so has sent
    -- this one as S.
    if form == 1 and #raw >= 91 then
      local deadline, heldToken, heldAttempt = read('<ddd', raw, 2)
      if heldToken == token and heldAttempt == attempt and deadline > now and cut(raw, 26, 57) == client then
        call('DEL', KEYS[key])
        return now
      end
    elseif form == 2 and #raw >= 139 then
      local first, last, tickets, presence, queueEnds, ends, deadline, heldToken, heldAttempt =
        read('<ddddddddd', raw, 2)
      -- The last ticket must leave no gaps, whose key would stay.
      if heldToken == token and heldAttempt == attempt and deadline > now and presence > now
        and cut(raw, 74, 105) == client and (tickets > 1 or first == last) then
        local bucket, queue, place = KEYS[key + 1], KEYS[key + 2], pack('<d', first)
        local ticket = call('HGET', queue, place)
        if ticket and #ticket >= 72 then
          local present, asked, weight, lockDelay = read('<dddd', ticket)
          local heir = cut(ticket, 41, 72)
          local marks = call('HMGET', bucket, 'h', heir, 'w')
          local high = marks[1] and read('<d', marks[1]) or 0
          local drawn = (now - @TOKEN_EPOCH@) * 2 / 125
          drawn = high < drawn - drawn % 1 and drawn - drawn % 1 or high + 1
          local witness = marks[3]
          local age = witness and #witness == 48 and cut(witness, 1, 40) == me and now - read('<d', witness, 41)
          local knows = age and age >= 0 and age < 1000000 or '@FORGETTING@' == 'off'
          if present > now and weight == 1 and marks[2] and knows and drawn <= @MOST_TOKEN@ then
            local known, ended = read('<dd', marks[2])
            local till = now + @CLAIM@
            -- First the write that frees memory.
            call('HDEL', queue, place, heir .. cut(ticket, 9, 16))
            call('HSET', bucket, 'h', pack('<d', drawn), heir,
              pack('<ddd', known > asked and known or asked, ended, now))
            local over = till + lockDelay
            if tickets > 1 and over < now + @PRESENCE@ then
              over = now + @PRESENCE@
            end
            local moved = ends < over + @GRACE@ / 2 or ends > over + @GRACE@
            ends = moved and over + @GRACE@ or ends
            local granted = (tickets > 1
              and pack('<Bddddddddd', 2, first + 1, last, tickets - 1, presence, queueEnds, ends, till, drawn, asked)
              or pack('<Bddd', 1, till, drawn, asked))
              .. heir .. cut(raw, 106, 121) .. cut(ticket, 17, 32) .. '00' .. cut(ticket, 73)
            if moved then
              call('SET', KEYS[key], granted, 'PX', string.format('%.0f', (ends - now) / 1000))
            else
              call('SET', KEYS[key], granted, 'KEEPTTL')
            end
            pushes = pushes or {}
            -- The channel of the bucket, or of bucket 0, as channelOf says: before the tag of one or two digits.
            pushes[#pushes + 1] = @SHARDED@ and cut(bucket, 1, -2) .. 'push:' .. heir
              or cut(bucket, 1, string.byte(bucket, -5) == 123 and -6 or -7) .. '{0}:push:' .. heir
            pushes[#pushes + 1] = pack('<dddd', asked, drawn, till, now) .. cut(ticket, 33, 40)
              .. me .. cut(KEYS[key], #bucket + 2)
            return now
          end
        end
      end
    end
  else
    local short, long
    attempt, lease, short, long = read('<ddBI4', args, here + 1)
    local from = here + 30 + short
    at = from + long
    about = cut(args, from, at - 1)
    -- Without holders and waiters there is nothing to advance. Setting the record only if there is none also checks
    -- that. A fresh witness says that this server has forgotten nothing; the machine renews it once a second.
    local bucket = KEYS[key + 1]
    marked = call('HMGET', bucket, 'h', client, 'w')
    local known, ended
    if marked[2] then
      known, ended = read('<dd', marked[2])
    end
    local witness = marked[3]
    local age = witness and #witness == 48 and cut(witness, 1, 40) == me and now - read('<d', witness, 41)
    local knows = age and age >= 0 and age < 1000000 or '@FORGETTING@' == 'off'
    -- A client that is new to a bucket takes the general case once.
    if known and attempt > known and short > 0 and knows then
      local high = marked[1] and read('<d', marked[1]) or 0
      token = what == 84 and read('<d', args, here + 22) or 0
      if token == 0 then
        token = (now - @TOKEN_EPOCH@) * 2 / 125
        token = token - token % 1
      end
      token = high < token and token or high + 1
      if token <= @MOST_TOKEN@ then
        local alone = pack('<Bddd', 1, now + lease, token, attempt) .. client .. about
        if call('SET', KEYS[key], alone, 'NX', 'PX', cut(args, here + 30, from - 1)) then
          call('HSET', bucket, 'h', pack('<d', token), client, pack('<ddd', attempt, ended, now))
          return pack('<dd', now, token)
        end
        raw = call('GET', KEYS[key])
        local form = string.byte(raw)
        local hold = form == 1 and 2 or form == 2 and 50
        -- One hold of the same kind and a capacity of 1 leaves no room.
        if hold and #raw >= hold + 89 and cut(raw, hold + 56, hold + 71) == cut(about, 1, 16)
          and cut(about, 9, 16) == '\0\0\0\0\0\0\240\63' then
          local deadline, present = read('<d', raw, hold), now + @PRESENCE@
          local first, last, tickets, presence, queueEnds, ends = 1, 0, 0, present, present + @GRACE@, 0
          local queue, fields = KEYS[key + 2]
          local id = client .. cut(args, here + 1, here + 8)
          local goesOn = deadline > now
          if goesOn and form == 2 then
            first, last, tickets, presence, queueEnds, ends = read('<dddddd', raw, 2)
            -- No presence may be over, the attempt have no ticket, the first ticket be gone, the queue's expiry be due.
            goesOn = presence > now and queueEnds >= present
            if goesOn then
              fields = call('HMGET', queue, id, pack('<d', first))
              goesOn = not fields[1] and fields[2]
            end
          end
          if goesOn and what == 84 then
            return { 2, now, 0, deadline - now, tickets, cut(raw, hold + 90) }
          elseif goesOn then
            local place = pack('<d', last + 1)
            call('HSET', queue, place, pack('<d', present) .. cut(args, here + 1, here + 8)
              .. cut(about, 17, 32) .. cut(args, here + 22, here + 29) .. client .. cut(about, 35),
              id, place)
            if form == 1 then
              call('PEXPIRE', queue, @QUEUE_MILLIS@)
            end
            local over = deadline + read('<d', raw, hold + 80)
            over = over > present and over or present
            local moved = ends < over + @GRACE@ / 2 or ends > over + @GRACE@
            ends = moved and over + @GRACE@ or ends
            local queued = pack('<Bdddddd', 2, first, last + 1, tickets + 1,
              presence < present and presence or present, queueEnds, ends) .. cut(raw, hold)
            if moved then
              call('SET', KEYS[key], queued, 'PX', string.format('%.0f', (ends - now) / 1000))
            else
              call('SET', KEYS[key], queued, 'KEEPTTL')
            end
            return { 1, now, 0, tickets, deadline - now }
          end
        end
      end
    end
  end
  machine = machine or (function()
-- include evidence.lua
-- include machine.lua
-- include longway.lua
  end)()
  if releases then
    return machine.release(key, raw, number, token, attempt, keep)
  end
  local secret = what == 81 and string.sub(args, here + 22, here + 29)
  local least = secret and 0 or read('<d', args, here + 22)
  return machine.acquire(key, raw, marked, attempt, lease, secret, least, about)
end

local answers
if #KEYS == 3 then
  answers = turn(1, args, now, client, me)
else
  answers = {}
  for key = 1, #KEYS, 3 do
    local before = pushes and #pushes or 0
    local done, answer = pcall(turn, key, args, now, client, me)
    if not done then
      -- As if it had come alone: this command has failed, the others have not, and no push reports a grant that was not
      -- written.
      answer = { err = type(answer) == 'table' and answer.err or answer }
      for i = pushes and #pushes or 0, before + 1, -1 do
        pushes[i] = nil
      end
    end
    answers[#answers + 1] = answer
  end
end
-- include publish.lua
return answers
