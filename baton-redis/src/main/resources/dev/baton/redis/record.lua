-- Reads a record in each of its three forms, which machine.lua describes.

-- Where the hold begins in a record of one of the two short forms; nothing for any other record.
local function holdIn(raw)
  local form = string.byte(raw)
  local from = form == 1 and 2 or form == 2 and 50
  return from and #raw >= from + 89 and from
end

local function parse(raw)
  local from = holdIn(raw)
  if not from then
    local read, unpacked = pcall(cmsgpack.unpack, raw)
    if not read or type(unpacked) ~= 'table' or not unpacked.h then
      error('WRONGTYPE a record that is not one', 0)
    end
    return unpacked
  end
  local deadline, token, attempt = struct.unpack('<ddd', raw, from)
  local kind, capacity, weight, lockDelay = struct.unpack('<dddd', raw, from + 56)
  local hold = {
    c = string.sub(raw, from + 24, from + 55), a = attempt, w = weight, t = token, d = deadline, l = lockDelay,
    k = string.byte(raw, from + 88) - 48, v = string.byte(raw, from + 89) - 48, s = string.sub(raw, from + 90)
  }
  local parsed = { k = kind, n = capacity, b = 0, h = { hold }, t = 0, e = 0 }
  if from == 50 then
    parsed.f, parsed.l, parsed.t, parsed.x, parsed.u, parsed.e = struct.unpack('<dddddd', raw, 2)
  end
  return parsed
end
