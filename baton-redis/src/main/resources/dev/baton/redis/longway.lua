-- The general case of turns.lua, which follows machine.lua.

local function releaseAny(key, raw, number, token, attempt, keep)
  urgent = true
  load(key, client, raw)
  urgent = false
  advance()
  raise(client, attempt, number)
  local released, found = heldBy(client, attempt, token)
  if released then
    table.remove(record.h, found)
    record.b = keep > 0 and math.max(record.b, now + keep) or record.b
    changed = true
  else
    withdraw(client, attempt)
  end
  advance()
  mayExceedMemory()
  save()
  return released and now or -now
end

-- A client that queues passes a secret, and one that does not the token that it wants at least.
local function answer(attempt, lease, secret, least, about)
  local kind, capacity, weight, lockDelay = struct.unpack('<dddd', about)
  local description = string.sub(about, 35)
  if isSpoilt() then
    error('HIGHWATER in ' .. bucketKey, 0)
  end
  advance()
  if idle() then
    record.k, record.n = kind, capacity
  elseif record.k ~= kind or record.n ~= capacity then
    return { 4, now, grace, record.k, record.n }
  end
  local held = heldBy(client, attempt)
  if held then
    if held.t < least then
      held.t, changed = least, true
      high, grown = math.max(high, least), true
    end
    return held.v == 1 and { 3, now, grace } or { 5, now, grace, held.t, held.d }
  end
  local position, left = showPresence(client, attempt)
  if position then
    return { 1, now, grace, position, left }
  end
  if attempt <= mark(client)[1] then
    return { 3, now, grace }
  end
  local kept = withheld()
  if kept > 0 and kept + weight > record.n then
    return { 7, now, grace, record.n - kept }
  end
  if record.t == 0 and record.b <= now and grace == 0 and used() + weight <= record.n then
    wanted = least
    return struct.pack('<dd', now, grant(client, attempt, weight, now + lease, lockDelay, 1, description).t)
  end
  if secret then
    return { 1, now, grace, enqueue(client, attempt, weight, lockDelay, description, secret) }
  end
  if grace > 0 then
    return { 6, now, grace }
  end
  local refused = { 2, now, 0, remaining(), record.t }
  for _, hold in ipairs(record.h) do
    if hold.c ~= nobody then
      refused[#refused + 1] = hold.s
    end
  end
  return refused
end

local function acquireAny(key, raw, marked, attempt, lease, secret, least, about)
  load(key, client, raw, marked)
  local reply = answer(attempt, lease, secret, least, about)
  save()
  return reply
end

return {
  acquire = acquireAny,
  release = releaseAny
}
