-- KEYS: descriptor. ARGV: fields to agree on, each with its value: the identity that the namespace gets if it has none, and
-- then the others; the identity alone makes no descriptor. Writes what is missing, and answers with the recorded fields,
-- or with nothing. The descriptor is written last: a namespace that has one has all its buckets, so that a bucket without
-- evidence is a forgotten one.

local descriptor = KEYS[1]
if redis.call('EXISTS', descriptor) == 0 then
  for i = 1, #ARGV > 2 and #ARGV or 0, 2 do
    redis.call('HSET', descriptor, ARGV[i], ARGV[i + 1])
  end
elseif redis.call('HGET', descriptor, 'protocol') and not redis.call('HGET', descriptor, ARGV[1]) then
  -- A client of an earlier version made it.
  redis.call('HSET', descriptor, ARGV[1], ARGV[2])
end
return redis.call('HGETALL', descriptor)
