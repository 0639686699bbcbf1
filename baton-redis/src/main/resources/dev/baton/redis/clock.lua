-- Arguments come in one piece, because each costs as much as a command: numbers as little-endian doubles, first the
-- server's identity (40 characters) and the clock, which tests bring and which is 0 otherwise. The other keys of a name
-- follow from that of its record, which has the same hash tag.
local args = ARGV[1]
local now = struct.unpack('<d', args, 41)
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
