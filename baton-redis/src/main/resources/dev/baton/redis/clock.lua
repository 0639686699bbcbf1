-- KEYS has three keys for each name: its record, its bucket and its queue. All are declared, because a cluster checks
-- only declared keys: while it moves them, a script that derived the bucket would begin a second, empty one. Arguments
-- come in one piece, because each costs as much as a command: numbers as little-endian doubles, first the server's
-- identity (40 characters). Tests pass a clock as the third argument.
local args = ARGV[1]
local me = string.sub(args, 1, 40)
-- What to tell clients in the end, see publish.lua: pairs of a channel and a message.
local pushes
local now
if ARGV[3] then
  now = struct.unpack('<d', ARGV[3])
else
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
