-- KEYS: those of each name. ARGV: run id, number from which to show queues (0 for the first). Answers: now, then for
-- each name nothing, or kind, capacity, number from which to show the rest of the queue (0 if this is all), number of
-- holds, rest of the grace period, how long nothing is granted still, the holds, and tickets in order. Reads at most 128 tickets, so that inspecting a long queue delays no other
-- client. Changes nothing: leaves out dead holds and tickets.

-- include clock.lua
-- include evidence.lua
-- include machine.lua
local reply = { now }
local start = struct.unpack('<d', args, 41)
local left = 128

local function addTickets(view, queue)
  local from = math.max(start, record.f)
  local to = math.min(record.l, from + left - 1)
  if from <= to then
    left = left - (to - from + 1)
    local numbers = {}
    for number = from, to do
      numbers[#numbers + 1] = struct.pack('<d', number)
    end
    for _, raw in ipairs(redis.call('HMGET', queue, unpack(numbers))) do
      local ticket = raw and readTicket(raw)
      if ticket and ticket.p > now then
        view[#view + 1] = { ticket.c, ticket.a, ticket.w, ticket.l, ticket.p, ticket.s }
      end
    end
  end
  view[3] = to < record.l and math.max(to + 1, from) or 0
end

-- A grace period that has begun: this script may not write, and so begins none.
local function restOfGrace(bucket)
  local evidence = '@FORGETTING@' ~= 'off' and redis.call('HGET', bucket, 'e')
  return evidence and #evidence == 89 and math.max(0, struct.unpack('<d', evidence, 81) - now) or 0
end

for each = 1, #KEYS, 3 do
  local raw = redis.call('GET', KEYS[each])
  if raw then
    record = parse(raw)
    local view = { record.k, record.n, 0, 0, restOfGrace(KEYS[each + 1]), 0 }
    local notBefore = record.b
    for _, hold in ipairs(record.h) do
      if hold.d > now then
        view[4] = view[4] + 1
        view[#view + 1] = { hold.c, hold.a, hold.w, hold.t, hold.d, hold.l, hold.k, hold.v, hold.s }
      elseif hold.l > 0 then
        notBefore = math.max(notBefore, hold.d + hold.l)
      end
    end
    view[6] = math.max(0, notBefore - now)
    if record.t > 0 then
      addTickets(view, KEYS[each + 2])
    end
    reply[#reply + 1] = (#view > 6 or view[3] > 0 or view[6] > 0) and view or false
  else
    reply[#reply + 1] = false
  end
end
return reply
