-- KEYS: descriptor. ARGV: the fields to agree on, each with its value; none to read only. Writes them if there are none
-- yet, and answers with the recorded fields, or with nothing. The descriptor is written last: a namespace that has one
-- has all its buckets, so that a bucket without evidence is a forgotten one.

if #ARGV > 0 and redis.call('EXISTS', KEYS[1]) == 0 then
  for i = 1, #ARGV, 2 do
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
return redis.call('HGETALL', KEYS[1])
