-- KEYS: a key that does not exist. Answers with those commands, of all that scripts call on keys and the clock, that
-- this user may not run. Otherwise the first script that needs a missing right would find out, perhaps after its first
-- write. A command that the server lets no script run is marked by !, and INFO by ? if it does not tell the replication
-- history. Leaves nothing.

local key = KEYS[1]
local denied = {}

local function may(command, ...)
  local answer = redis.pcall(command, ...)
  local said = type(answer) == 'table' and answer.err or ''
  if string.find(said, 'NOPERM', 1, true) or string.find(said, 'The user executing the script', 1, true) then
    denied[#denied + 1] = command
    return false, answer
  end
  if string.find(said, 'Unknown', 1, true) or string.find(said, 'not allowed from script', 1, true) then
    denied[#denied + 1] = '!' .. command
    return false, answer
  end
  return true, answer
end

may('TIME')
if '@FORGETTING@' ~= 'off' then
  local runs, info = may('INFO', 'replication')
  if runs and not (type(info) == 'string' and string.match(info, 'master_replid:%x')) then
    denied[#denied + 1] = '?INFO'
  end
end
may('GET', key)
may('SET', key, '', 'XX')
may('EXISTS', key)
may('PEXPIRE', key, 1)
may('HGET', key, 'f')
may('HMGET', key, 'f')
may('HGETALL', key)
may('HDEL', key, 'f')
may('HRANDFIELD', key, 1)
may('ZADD', key, 'XX', 1, 'm')
may('ZCOUNT', key, 1, 1)
may('ZREMRANGEBYSCORE', key, 1, 1)
if may('DEL', key) and may('HSET', key, 'f', '') then
  redis.call('DEL', key)
end
return denied
