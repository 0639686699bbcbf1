-- The general case of turns.lua, which follows machine.lua.

local function releaseAny(key, raw, number, token, attempt)
  load(key, client, raw)
  advance()
  raise(client, attempt, number)
  local hold, found = heldBy(client, attempt)
  local released = hold and hold.t == token
  if released then
    table.remove(record.h, found)
    changed = true
  else
    withdraw(client, attempt)
  end
  advance()
  mayExceedMemory()
  save()
  return released and now or -now
end

-- A client that queues passes a secret.
local function answer(attempt, lease, secret, about)
  local kind, capacity, weight, lockDelay = struct.unpack('<dddd', about)
  local description = string.sub(about, 35)
  if isSpoilt() then
    error('HIGHWATER in ' .. bucketKey, 0)
  end
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
  local position, left = showPresence(client, attempt)
  if position then
    return { 1, now, position, left }
  end
  if attempt <= mark(client)[1] then
    return { 3, now }
  end
  if record.t == 0 and record.b <= now and used() + weight <= record.n then
    return struct.pack('<dd', now, grant(client, attempt, weight, now + lease, lockDelay, 1, description).t)
  end
  if secret then
    return { 1, now, enqueue(client, attempt, weight, lockDelay, description, secret) }
  end
  local refused = { 2, now, remaining(), record.t }
  for _, hold in ipairs(record.h) do
    refused[#refused + 1] = hold.s
  end
  return refused
end

local function acquireAny(key, marked, attempt, lease, secret, about)
  load(key, client, nil, marked)
  local reply = answer(attempt, lease, secret, about)
  save()
  return reply
end

return {
  acquire = acquireAny,
  release = releaseAny,
  publish = publish,
  pushes = function()
    return #pushes
  end,
  unsay = function(from)
    for i = #pushes, from + 1, -1 do
      pushes[i] = nil
    end
  end
}
