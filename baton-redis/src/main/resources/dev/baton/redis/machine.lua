-- The abstract machine for one resource at a time: dev.baton.spi.ResourceState, over three keys. Numbers are stored as
-- they are calculated with (little-endian doubles, whole numbers below 2^53), because text costs more than all the rest.
--
--   bucket  hash    'h' = high water; client = its mark (attempt, end, touched)
--   record  string  one hold and nobody waits: byte 1, deadline, token, attempt, client, kind, capacity, weight,
--                   lock-delay, claimed, revoked, description
--                   anything else, packed: kind k, capacity n, not before b, holds h, the key's own expiry e, and of the
--                   queue: first f, last l, tickets t, earliest end of a presence x (a lower bound), own expiry u
--                   a hold: client c, attempt a, weight w, token t, deadline d, lock-delay l, claimed k, revoked v,
--                   description s
--   queue   hash    number = ticket (client c, attempt a, weight w, lock-delay l, present until p, description s);
--                   client and attempt = number. A ticket's secret x (8 bytes) is repeated by the push of its grant: who
--                   cannot read this key cannot forge one. No answer has it.
--
-- Everything is read, and so checked to be of its type, before anything is written. A key's own expiry only collects
-- garbage: it always comes after everything in it is over.

local bucketKey, recordKey, queueKey
local record, existed, changed
local high, grown
local marks, raised
local freed
local pushes = {}

-- What acquire.lua writes where nobody else is.
local function parse(raw)
  if string.byte(raw) ~= 1 or #raw < 91 then
    local read, unpacked = pcall(cmsgpack.unpack, raw)
    if not read or type(unpacked) ~= 'table' or not unpacked.h then
      error('WRONGTYPE a record that is not one', 0)
    end
    return unpacked
  end
  local deadline, token, attempt = struct.unpack('<ddd', raw, 2)
  local kind, capacity, weight, lockDelay = struct.unpack('<dddd', raw, 58)
  local hold = {
    c = string.sub(raw, 26, 57), a = attempt, w = weight, t = token, d = deadline, l = lockDelay,
    k = string.byte(raw, 90) - 48, v = string.byte(raw, 91) - 48, s = string.sub(raw, 92)
  }
  return { k = kind, n = capacity, b = 0, h = { hold }, t = 0, e = 0 }
end

local function format()
  local hold = record.h[1]
  if record.t > 0 or #record.h ~= 1 or record.b > now then
    return cmsgpack.pack(record)
  end
  return struct.pack('<Bddd', 1, hold.d, hold.t, hold.a) .. hold.c
    .. struct.pack('<dddd', record.k, record.n, hold.w, hold.l) .. hold.k .. hold.v .. hold.s
end

local function readMark(raw)
  if raw then
    local attempt, ended = struct.unpack('<dd', raw)
    return { attempt, ended }
  end
  return { 0, 0 }
end

local function bucketOf(key)
  local tag = string.sub(key, 1, string.find(key, '}:r:', 1, true) + 1)
  bucketKey = tag .. 'b'
  return tag
end

-- What was read already of the record (false if there is none), and of the bucket's high water and the client's mark, is
-- not read again.
local function load(key, client, raw, marked)
  local tag = bucketOf(key)
  recordKey, queueKey = key, tag .. 'q' .. string.sub(key, #tag + 2)
  if raw == nil then
    raw = redis.call('GET', key)
  end
  marked = marked or redis.call('HMGET', bucketKey, 'h', client or 'h')
  high, grown = marked[1] and struct.unpack('<d', marked[1]) or 0, false
  marks, raised = {}, {}
  if client then
    marks[client] = readMark(marked[2])
  end
  freed = false
  existed, changed = raw and true or false, false
  record = raw and parse(raw) or { k = 0, n = 1, b = 0, h = {}, t = 0, e = 0 }
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

-- Readers that hold together share the token of the first of them.
local function drawToken(weight)
  if record.k == 1 and weight < record.n and #record.h > 0 then
    local shared = 0
    for _, hold in ipairs(record.h) do
      shared = math.max(shared, hold.t)
    end
    return shared
  end
  high, grown = math.max(high + 1, math.floor((now - @TOKEN_EPOCH@) * 2 / 125)), true
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

-- The first ticket; numbers whose ticket was withdrawn are passed over.
local function head()
  while record.f <= record.l do
    local number = struct.pack('<d', record.f)
    local raw = redis.call('HGET', queueKey, number)
    if raw then
      return cmsgpack.unpack(raw), number
    end
    record.f = record.f + 1
  end
  -- Somebody removed the queue: its waiters will ask, and take new tickets.
  record.t = 0
  changed = true
end

local function removeTicket(number, id)
  redis.call('HDEL', queueKey, number, id)
  freed = true
  record.t = record.t - 1
  changed = true
end

-- An attempt's ticket and its number. The queue may have tickets of an earlier one whose record somebody deleted: their
-- numbers are others' by now.
local function ticketOf(client, attempt)
  local number = record.t > 0 and redis.call('HGET', queueKey, ticketId(client, attempt))
  local raw = number and redis.call('HGET', queueKey, number)
  local ticket = raw and cmsgpack.unpack(raw)
  if ticket and ticket.c == client and ticket.a == attempt then
    return ticket, number
  end
end

local function withdraw(client, attempt)
  local ticket, number = ticketOf(client, attempt)
  if ticket then
    removeTicket(number, ticketId(client, attempt))
  end
end

-- Drops the tickets of clients that are silent.
local function prune()
  local all = redis.call('HGETALL', queueKey)
  local live, earliest = 0, now + @PRESENCE@
  for i = 1, #all, 2 do
    if #all[i] == 8 then
      local ticket = cmsgpack.unpack(all[i + 1])
      if ticket.p <= now then
        redis.call('HDEL', queueKey, all[i], ticketId(ticket.c, ticket.a))
      else
        live = live + 1
        earliest = math.min(earliest, ticket.p)
      end
    end
  end
  record.t, record.x, changed = live, earliest, true
end

local function used()
  local sum = 0
  for _, hold in ipairs(record.h) do
    sum = sum + hold.w
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
  if record.t > 0 and record.x <= now then
    prune()
  end
end

local function advance()
  dropDead()
  local sum = used()
  while record.t > 0 and record.b <= now do
    local ticket, number = head()
    if not ticket or sum + ticket.w > record.n then
      break
    end
    removeTicket(number, ticketId(ticket.c, ticket.a))
    record.f = record.f + 1
    sum = sum + ticket.w
    local hold = grant(ticket.c, ticket.a, ticket.w, now + @CLAIM@, ticket.l, 0, ticket.s)
    pushes[#pushes + 1] = '@CHANNEL@' .. hold.c
    pushes[#pushes + 1] = struct.pack('<dddd', hold.a, hold.t, hold.d, now) .. (ticket.x or '')
      .. string.sub(args, 1, 40) .. string.sub(queueKey, #bucketKey + 2)
  end
end

local function heldBy(client, attempt)
  for at, hold in ipairs(record.h) do
    if hold.a == attempt and hold.c == client then
      return hold, at
    end
  end
end

-- How many tickets are before a number.
local function ahead(number)
  if record.l - record.f + 1 == record.t then
    return number - record.f
  end
  local count = 0
  for from = record.f, number - 1, 1000 do
    local numbers = {}
    for each = from, math.min(from + 999, number - 1) do
      numbers[#numbers + 1] = struct.pack('<d', each)
    end
    for _, found in ipairs(redis.call('HMGET', queueKey, unpack(numbers))) do
      count = count + (found and 1 or 0)
    end
  end
  return count
end

local function remaining()
  local latest = 0
  for _, hold in ipairs(record.h) do
    latest = math.max(latest, hold.d)
  end
  return math.max(0, (#record.h > 0 and latest or record.b) - now)
end

-- A key's own expiry is moved seldom, because a number must be made text for it.
local function keepQueue()
  if record.u < now + @PRESENCE@ then
    record.u, changed = now + @PRESENCE@ + @GRACE@, true
    redis.call('PEXPIRE', queueKey, @QUEUE_MILLIS@)
  end
end

local function enqueue(client, attempt, weight, lockDelay, description, secret)
  if record.t == 0 then
    record.f, record.l, record.x, record.u = 1, 0, now + @PRESENCE@, 0
  end
  local last = record.l + 1
  local number = struct.pack('<d', last)
  local ticket = {
    c = client, a = attempt, w = weight, l = lockDelay, p = now + @PRESENCE@, s = description, x = secret
  }
  redis.call('HSET', queueKey, number, cmsgpack.pack(ticket), ticketId(client, attempt), number)
  record.l, record.t, changed = last, record.t + 1, true
  keepQueue()
  return ahead(last)
end

-- The position of a ticket, which is present from now on; nothing if there is none.
local function showPresence(client, attempt)
  local ticket, number = ticketOf(client, attempt)
  if ticket then
    ticket.p = now + @PRESENCE@
    redis.call('HSET', queueKey, number, cmsgpack.pack(ticket))
    keepQueue()
    return ahead((struct.unpack('<d', number)))
  end
end

-- When full memory refuses writes, it refuses them at a script's first one. What frees memory or keeps a hold alive
-- goes on behind a write that changes nothing. Answers whether there was one: not if the bucket is no hash, which is for
-- those to say who need the bucket.
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

local function save()
  local fields = {}
  if grown then
    fields[1], fields[2] = 'h', struct.pack('<d', high)
  end
  for client, known in pairs(raised) do
    fields[#fields + 1] = client
    fields[#fields + 1] = struct.pack('<ddd', known[1], known[2], now)
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
end

-- Hints: a channel that may not be used must not fail what has been done.
local function publish()
  for i = 1, #pushes, 2 do
    redis.pcall('PUBLISH', pushes[i], pushes[i + 1])
  end
end
