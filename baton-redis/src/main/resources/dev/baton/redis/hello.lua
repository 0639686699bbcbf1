-- KEYS: descriptor. ARGV: run id, role, replication id, earlier replication id, then the fields to agree on, each with
-- its value. Writes them if there are none yet, and answers with the recorded fields. Also records the last seen server
-- process, its role and its history, for the day on which another one takes over.

if redis.call('EXISTS', KEYS[1]) == 0 then
  for i = 5, #ARGV, 2 do
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
local seen = redis.call('HMGET', KEYS[1], 'run_id', 'role', 'replid', 'replid2')
if seen[1] ~= ARGV[1] or seen[2] ~= ARGV[2] or seen[3] ~= ARGV[3] or seen[4] ~= ARGV[4] then
  redis.call('HSET', KEYS[1], 'run_id', ARGV[1], 'role', ARGV[2], 'replid', ARGV[3], 'replid2', ARGV[4])
end
return redis.call('HGETALL', KEYS[1])
