-- The head of a script that writes to fenced data. The last of KEYS is the fence, the last of ARGV the fencing token;
-- the script below sees only its own KEYS and ARGV. A token that is older than the fence changes nothing; any other
-- raises it. Tokens are whole numbers below 2^53, which Lua calculates with exactly.
do
  local fence, text = table.remove(KEYS), table.remove(ARGV)
  local token = tonumber(text)
  if not token or token < 0 or token >= 2 ^ 53 or token ~= math.floor(token) then
    return redis.error_reply('FENCE ' .. tostring(text) .. ' is no fencing token')
  end
  local found = redis.pcall('GET', fence)
  if type(found) == 'table' and not string.find(found.err, 'WRONGTYPE', 1, true) then
    return found
  end
  local raised = found and (type(found) == 'string' and tonumber(found) or -1) or 0
  if raised < 0 then
    return redis.error_reply('FENCE the key ' .. fence .. ' holds something else than a token: use another key')
  elseif raised > token then
    return redis.error_reply('STALETOKEN the fence ' .. fence .. ' was raised to ' .. string.format('%.0f', raised))
  end
  if not found or raised < token then
    redis.call('SET', fence, string.format('%.0f', token))
  end
end
