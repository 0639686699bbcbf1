-- KEYS: record of each name. ARGV: run id. Answers: now, then for each name nothing, or kind,
-- capacity, number of holds, the holds, and the tickets in order. Changes nothing: what is dead is left out.

-- include clock.lua
-- include machine.lua
local reply = { now }
for each = 1, #KEYS do
  local raw = redis.call('GET', KEYS[each])
  if raw then
    record = parse(raw)
    local view = { record.k, record.n, 0 }
    for _, hold in ipairs(record.h) do
      if hold.d > now then
        view[3] = view[3] + 1
        view[#view + 1] = { hold.c, hold.a, hold.w, hold.t, hold.d, hold.l, hold.k, hold.v, hold.s }
      end
    end
    if record.t > 0 then
      local numbers, tickets = {}, {}
      local all = redis.call('HGETALL', (string.gsub(KEYS[each], '}:r:', '}:q:', 1)))
      for i = 1, #all, 2 do
        if #all[i] == 8 then
          local number = struct.unpack('<d', all[i])
          local ticket = readTicket(all[i + 1])
          if ticket.p > now then
            numbers[#numbers + 1] = number
            tickets[number] = { ticket.c, ticket.a, ticket.w, ticket.l, ticket.p, ticket.s }
          end
        end
      end
      table.sort(numbers)
      for _, number in ipairs(numbers) do
        view[#view + 1] = tickets[number]
      end
    end
    reply[#reply + 1] = #view > 3 and view or false
  else
    reply[#reply + 1] = false
  end
end
return reply
