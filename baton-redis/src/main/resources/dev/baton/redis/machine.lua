-- The abstract state machine for one resource at a time: dev.baton.spi.ResourceState, over its keys. Numbers are
-- stored as Lua calculates with them (little-endian doubles, whole numbers below 2^53), because text would cost more
-- than everything else.
--
--   bucket  hash    'h' = high water; client = its mark (attempt, end, touched); 'e' and 'w': see evidence.lua; 'about'
--                   = its purpose, for operators, and so long that the server keeps the hash as a table: it would
--                   search a list of hundreds of marks
--   record  string  one hold, no waiters, no lock-delay that is on: byte 1, deadline, token, attempt, client, kind,
--                   capacity, weight, lock-delay, claimed, revoked, description
--                   the same with waiters, at a capacity of 1, while no search runs: byte 2, then f, l, t, x, u, e as
--                   below, then the hold as above
--                   anything else, packed: kind k, capacity n, not before b, holds h, the key's own expiry e, and of the
--                   queue: first f, last l, tickets t, own expiry u; earliest end of a presence x (a lower bound); while
--                   a search for tickets of silent clients runs: where it continues s, its earliest end m
--                   a hold: client c, attempt a, weight w, token t, deadline d, lock-delay l, claimed k, revoked v,
--                   description s
--   queue   hash    number = ticket (present until, attempt, weight, lock-delay, secret of 8 bytes, client, description);
--                   client and attempt = number. The push of the grant repeats the secret: a user that cannot read
--                   this key cannot forge a push. No answer contains it.
--   gaps    sorted  numbers between first and last whose ticket left; exists while there are any. Only positions need
--           set     it: without this key they also count tickets that left.
--
-- No call reads more than 64 tickets beside its own, however long the queue is.
--
-- A call reads everything, and so checks its type, before it writes anything. A key's own expiry only collects garbage:
-- it always comes after everything in the key is over.

local bucketKey, recordKey, queueKey
-- How long the bucket's grace period lasts still.
local grace = 0
local record, existed, changed
local high, grown
local marks, raised
local freed
-- The token that the next grant shall have, unless there was a greater one; 0 for one by the clock.
local wanted
-- How many tickets this call may still read beside those that it is about: to find silent clients, and to reach the
-- first ticket. Whether it did not reach the first ticket.
local toSearch, toPass = 32, 32
local unreached

-- include record.lua

local function format()
  local hold, queues = record.h[1], record.t > 0
  if #record.h ~= 1 or record.b > now or queues and (record.n ~= 1 or record.s) then
    return cmsgpack.pack(record)
  end
  local counters = queues and struct.pack('<dddddd', record.f, record.l, record.t, record.x, record.u, record.e) or ''
  return (queues and '\2' or '\1') .. counters .. struct.pack('<ddd', hold.d, hold.t, hold.a) .. hold.c
    .. struct.pack('<dddd', record.k, record.n, hold.w, hold.l) .. hold.k .. hold.v .. hold.s
end

local function readMark(raw)
  if raw then
    local attempt, ended = struct.unpack('<dd', raw)
    return { attempt, ended }
  end
  return { 0, 0, isNew = true }
end

-- Takes the keys of a name. Does not read again the record (false if there is none), the bucket's high water, the
-- client's mark and the witness if they were already read.
local function load(key, client, raw, marked)
  recordKey, bucketKey, queueKey = KEYS[key], KEYS[key + 1], KEYS[key + 2]
  if raw == nil then
    raw = redis.call('GET', recordKey)
  end
  marked = marked or redis.call('HMGET', bucketKey, 'h', client or 'h', 'w')
  grace = graceOf(bucketKey, marked[3])
  high, grown = marked[1] and struct.unpack('<d', marked[1]) or 0, false
  marks, raised = {}, {}
  if client then
    marks[client] = readMark(marked[2])
  end
  freed, unreached, wanted = false, false, 0
  existed, changed = raw and true or false, false
  record = raw and parse(raw) or { k = 0, n = 1, b = 0, h = {}, t = 0, e = 0 }
end

-- The gaps and the channels follow from the other keys. A script that may not use them goes on: they are hints.
local function gapsKey()
  return string.sub(bucketKey, 1, -2) .. 'g' .. string.sub(recordKey, #bucketKey + 1)
end

-- All pushes to a client go by the channel of bucket 0, so that one subscription is enough. On a cluster each bucket has a
-- channel of its own, which moves with its slot.
local function channelOf(client)
  return string.gsub(bucketKey, '{(%d+)}:b$', '@CHANNEL@') .. client
end

local function idle()
  return #record.h == 0 and record.t == 0 and record.b <= now
end

local function ticketId(client, attempt)
  return client .. struct.pack('<d', attempt)
end

local function mark(client)
  if not marks[client] then
    marks[client] = readMark(redis.call('HGET', bucketKey, client))
  end
  return marks[client]
end

local function raise(client, attempt, ended)
  local known = mark(client)
  known[1] = math.max(known[1], attempt)
  known[2] = math.max(known[2], ended)
  raised[client] = known
end

local function nextToken()
  return math.max(high + 1, wanted > 0 and wanted or math.floor((now - @TOKEN_EPOCH@) * 2 / 125))
end

-- Whether another program wrote a high water above which there are no tokens: doubles would repeat the same one.
local function isSpoilt()
  return not (nextToken() <= @MOST_TOKEN@)
end

-- Readers that hold together share the token of the first of them.
local function drawToken(weight)
  if record.k == 1 and weight < record.n and #record.h > 0 then
    local shared = 0
    for _, hold in ipairs(record.h) do
      shared = math.max(shared, hold.t)
    end
    return shared
  end
  high, grown = nextToken(), true
  return high
end

local function grant(client, attempt, weight, deadline, lockDelay, claimed, description)
  local hold = {
    c = client, a = attempt, w = weight, t = drawToken(weight), d = deadline, l = lockDelay, k = claimed, v = 0,
    s = description
  }
  record.h[#record.h + 1] = hold
  raise(client, attempt, 0)
  changed = true
  return hold
end

local function readTicket(raw)
  local present, attempt, weight, lockDelay = struct.unpack('<dddd', raw)
  return {
    p = present, a = attempt, w = weight, l = lockDelay, x = string.sub(raw, 33, 40), c = string.sub(raw, 41, 72),
    s = string.sub(raw, 73)
  }
end

local function gaps()
  return record.l - record.f + 1 - record.t
end

local function closeGaps(upTo)
  redis.pcall('ZREMRANGEBYSCORE', gapsKey(), '-inf', upTo)
end

local function removeTicket(number, id)
  local place, gapped = struct.unpack('<d', number), gaps() > 0
  redis.call('HDEL', queueKey, number, id)
  record.t = record.t - 1
  freed, changed = true, true
  if record.t == 0 then
    if gapped then
      closeGaps('+inf')
    end
  elseif place == record.f then
    record.f = place + 1
  elseif place == record.l then
    record.l = place - 1
  else
    redis.pcall('ZADD', gapsKey(), place, number)
    if not gapped then
      redis.pcall('PEXPIRE', gapsKey(), @QUEUE_MILLIS@)
    end
  end
end

-- The first ticket whose client is not silent. Nothing if there is none, or if it was not reached: the next call goes
-- on.
local function head()
  local at, found, number = record.f, nil, nil
  repeat
    number = struct.pack('<d', at)
    local raw = redis.call('HGET', queueKey, number)
    if raw and struct.unpack('<d', raw) > now then
      found = readTicket(raw)
    else
      if raw then
        redis.call('HDEL', queueKey, number, string.sub(raw, 41, 72) .. string.sub(raw, 9, 16))
        freed, record.t = true, record.t - 1
      end
      at, toPass = at + 1, toPass - 1
    end
  until found or at > record.l or toPass <= 0
  if at > record.f then
    -- Fewer, if the queue was removed meanwhile: its waiters will poll, and take new tickets.
    record.f, record.t, changed = at, math.max(0, math.min(record.t, record.l - at + 1)), true
    closeGaps(record.t > 0 and at - 1 or '+inf')
  end
  unreached = not found and record.t > 0
  return found, number
end

-- An attempt's ticket as it is stored, and its number. The queue may have tickets of an earlier queue whose record was
-- deleted: their numbers belong to other tickets by now, or to none of this queue.
local function ticketOf(client, attempt)
  local id = ticketId(client, attempt)
  local number = record.t > 0 and redis.call('HGET', queueKey, id)
  local raw = number and redis.call('HGET', queueKey, number)
  if raw and string.sub(raw, 41, 72) == client and string.sub(raw, 9, 16) == string.sub(id, 33) then
    local place = struct.unpack('<d', number)
    if place >= record.f and place <= record.l then
      return raw, number, id
    end
  end
end

local function withdraw(client, attempt)
  local ticket, number, id = ticketOf(client, attempt)
  if ticket then
    removeTicket(number, id)
  end
end

-- Drops the tickets of silent clients. The search begins when a client may be silent, and takes as many calls as it
-- needs.
local function prune()
  local from = math.max(record.s or 0, record.f)
  local to = math.min(record.l, from + toSearch - 1)
  local earliest = record.s and record.m or now + @PRESENCE@
  if from <= to then
    toSearch = toSearch - (to - from + 1)
    local numbers = {}
    for number = from, to do
      numbers[#numbers + 1] = struct.pack('<d', number)
    end
    for i, raw in ipairs(redis.call('HMGET', queueKey, unpack(numbers))) do
      local present = raw and struct.unpack('<d', raw)
      if present and present <= now then
        removeTicket(numbers[i], string.sub(raw, 41, 72) .. string.sub(raw, 9, 16))
      elseif present then
        earliest = math.min(earliest, present)
      end
    end
  end
  if to >= record.l then
    record.x, record.s, record.m = earliest, nil, nil
  else
    record.s, record.m = to + 1, earliest
  end
  changed = true
end

local function used()
  local sum = 0
  for _, hold in ipairs(record.h) do
    sum = sum + hold.w
  end
  return sum
end

-- Holds of no client: permits that are granted to nobody. They count as used, and nothing else.
local nobody = string.rep('0', 32)

local function withheld()
  local sum = 0
  for _, hold in ipairs(record.h) do
    sum = sum + (hold.c == nobody and hold.w or 0)
  end
  return sum
end

local function dropDead()
  local kept = {}
  for _, hold in ipairs(record.h) do
    if hold.d > now then
      kept[#kept + 1] = hold
    else
      changed = true
      if hold.l > 0 then
        record.b = math.max(record.b, hold.d + hold.l)
      end
    end
  end
  record.h = kept
  if record.t > 0 and record.x <= now and toSearch > 0 then
    prune()
  end
end

local function advance()
  dropDead()
  local sum = used()
  local kept = withheld()
  while record.t > 0 and record.b <= now and grace == 0 do
    local ticket, number = head()
    -- A ticket that cannot fit leaves: it would keep all others waiting. Its client asks again, and is told.
    local unfit = ticket and kept > 0 and kept + ticket.w > record.n
    if not ticket or not unfit and (sum + ticket.w > record.n or isSpoilt()) then
      break
    end
    removeTicket(number, ticketId(ticket.c, ticket.a))
    if not unfit then
      sum = sum + ticket.w
      local hold = grant(ticket.c, ticket.a, ticket.w, now + @CLAIM@, ticket.l, 0, ticket.s)
      pushes = pushes or {}
      pushes[#pushes + 1] = channelOf(hold.c)
      pushes[#pushes + 1] = struct.pack('<dddd', hold.a, hold.t, hold.d, now) .. ticket.x
        .. me .. string.sub(recordKey, #bucketKey + 2)
    end
  end
end

-- The hold of an attempt; with a token, only that one. A heartbeat that names another token restores a second one.
local function heldBy(client, attempt, token)
  for at, hold in ipairs(record.h) do
    if hold.a == attempt and hold.c == client and (not token or hold.t == token) then
      return hold, at
    end
  end
end

-- How many tickets are before a number.
local function ahead(number)
  local left = gaps() > 0 and redis.pcall('ZCOUNT', gapsKey(), record.f, number)
  return number - record.f - (type(left) == 'number' and left or 0)
end

local function remaining()
  local latest = 0
  for _, hold in ipairs(record.h) do
    latest = math.max(latest, hold.c == nobody and 0 or hold.d)
  end
  return math.max(0, (latest > 0 and latest or record.b) - now)
end

-- The position of a ticket, and how long the present holders may stay. If there is room and the first ticket was not
-- reached, this one may be the first: its client has to ask again at once.
local function standing(position)
  if unreached and record.b <= now and used() < record.n then
    return 0, 1
  end
  return position, remaining()
end

-- Moves a key's own expiry seldom, because that turns a number into text.
local function keepQueue()
  if record.u < now + @PRESENCE@ then
    record.u, changed = now + @PRESENCE@ + @GRACE@, true
    redis.call('PEXPIRE', queueKey, @QUEUE_MILLIS@)
    if gaps() > 0 then
      redis.pcall('PEXPIRE', gapsKey(), @QUEUE_MILLIS@)
    end
  end
end

-- After a clock was set back, a new presence ends earlier than that of older tickets.
local function presentUntil()
  local present = now + @PRESENCE@
  if present < record.x or record.m and present < record.m then
    record.x, record.m = math.min(present, record.x), record.m and math.min(present, record.m)
    changed = true
  end
  return struct.pack('<d', present)
end

local function enqueue(client, attempt, weight, lockDelay, description, secret)
  if record.t == 0 then
    record.f, record.l, record.x, record.u, record.s, record.m = 1, 0, now + @PRESENCE@, 0, nil, nil
  end
  local last = record.l + 1
  local number = struct.pack('<d', last)
  local ticket = presentUntil() .. struct.pack('<ddd', attempt, weight, lockDelay) .. secret .. client .. description
  redis.call('HSET', queueKey, number, ticket, ticketId(client, attempt), number)
  local position = math.min(record.t, last - record.f)
  record.l, record.t, changed = last, record.t + 1, true
  keepQueue()
  return standing(position)
end

-- Renews a ticket's presence, and its description unless that is empty. Answers its position, and how long the holders
-- may stay; nothing if there is no such ticket.
local function showPresence(client, attempt, waiter)
  local ticket, number = ticketOf(client, attempt)
  if ticket then
    local position = ahead((struct.unpack('<d', number)))
    local told = waiter and #waiter > 0 and string.sub(ticket, 9, 72) .. waiter or string.sub(ticket, 9)
    redis.call('HSET', queueKey, number, presentUntil() .. told)
    keepQueue()
    return standing(position)
  end
end

-- If full memory refuses writes, it refuses a script's first write. A script that frees memory or keeps a hold alive
-- therefore first does a write that changes nothing. Answers whether there was one: not if the bucket is no hash; then
-- the scripts that need the bucket report it.
local function mayExceedMemory()
  return freed or type(redis.pcall('HDEL', bucketKey, '')) == 'number'
end

local function lastEnd()
  local last = math.max(record.b, record.t > 0 and now + @PRESENCE@ or 0)
  for _, hold in ipairs(record.h) do
    last = math.max(last, hold.d + hold.l)
  end
  return last
end

-- A client that is new to a bucket pays for it by reading some of the bucket's marks. It forgets those of clients that
-- have been silent for longer than any command can be in transit.
local function forgetSome()
  local some = redis.call('HRANDFIELD', bucketKey, 4, 'WITHVALUES')
  for i = 1, #some, 2 do
    if #some[i] == 32 and #some[i + 1] == 24 then
      local _, _, touched = struct.unpack('<ddd', some[i + 1])
      if touched + @MARK@ < now then
        redis.call('HDEL', bucketKey, some[i])
      end
    end
  end
end

local function save()
  local fields, isNew = {}, false
  if grown then
    fields[1], fields[2] = 'h', struct.pack('<d', high)
  end
  for client, known in pairs(raised) do
    fields[#fields + 1] = client
    fields[#fields + 1] = struct.pack('<ddd', known[1], known[2], now)
    isNew = isNew or known.isNew
  end
  if isNew then
    fields[#fields + 1] = 'about'
    fields[#fields + 1] = '@ABOUT@'
  end
  if #fields > 0 then
    redis.call('HSET', bucketKey, unpack(fields))
  end
  if idle() then
    if existed then
      redis.call('DEL', recordKey)
    end
  elseif changed then
    local last = lastEnd()
    if record.e < last + @GRACE@ / 2 or record.e > last + @GRACE@ then
      record.e = last + @GRACE@
      redis.call('SET', recordKey, format(), 'PX', string.format('%.0f', (record.e - now) / 1000))
    else
      redis.call('SET', recordKey, format(), 'KEEPTTL')
    end
  end
  if isNew then
    forgetSome()
  end
end
