-- Arguments come in one piece, because each costs as much as a command: numbers as little-endian doubles, first the
-- server's identity (40 characters). Tests pass a clock as the third argument. The other keys of a name follow from the
-- key of its record, which has the same hash tag.
local args = ARGV[1]
local now
if ARGV[3] then
  now = struct.unpack('<d', ARGV[3])
else
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
