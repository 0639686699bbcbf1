-- KEYS: a bucket. ARGV: run id, and what its client knows: 1 if this server may have forgotten the namespace, 0 if the
-- namespace is new, 2 to leave alone a bucket that is missing. Makes the bucket if it has no evidence, with a grace
-- period if it may have been forgotten. Answers the rest of its grace period, and 1 if that begins now.

-- include clock.lua
-- include evidence.lua

local state = struct.unpack('<d', args, 41)
local isNew = not redis.call('HGET', KEYS[1], 'e')
if isNew and state == 2 then
  return { 0, 0 }
end
if isNew then
  local ends = state == 1 and '@FORGETTING@' ~= 'off' and now + @GRACE@ or 0
  redis.call('HSET', KEYS[1], 'e', me .. replication() .. struct.pack('<d', ends) .. '1', 'about', '@ABOUT@')
end
local rest, began = graceOf(KEYS[1], false)
return { rest, (began or isNew) and rest > 0 and 1 or 0 }
