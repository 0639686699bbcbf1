-- Whether this server may have forgotten what was written to a bucket: after a restart, a failover, or the deletion of
-- the bucket. Then nothing new is granted for G, while clients put back what they hold.
--
--   'e' of a bucket, the evidence: identity of the server process that keeps the bucket (40 characters) and of its
--       replication history (40), end of the last grace period, and why it began: 1 there was no evidence, 2 another
--       process, 3 another history of the same process
--   'w' of a bucket, the witness: the process that looked last (40), and when. It is written for this process alone and
--       never replicated, and it exists only outside a grace period. A fresh one is all that the short ways read. They
--       do what isWitnessed does in place, because each function costs every call.
--
-- A process is known by its identity and its history together: the same process may have been a replica in between,
-- and may have taken over without its last writes. A history that begins anew without an earlier one (all zeros) is no
-- sign of that: the first replica came, or the replication backlog was freed. This fails only if the backlog's
-- time-to-live is shorter than G.

-- Whether the caller frees memory or keeps a hold alive, so that full memory must not refuse it.
local urgent = false

local function isWitnessed(witness)
  if '@FORGETTING@' == 'off' then
    return true
  end
  if not witness or #witness ~= 48 or string.sub(witness, 1, 40) ~= me then
    return false
  end
  local age = now - struct.unpack('<d', witness, 41)
  return age >= 0 and age < 1000000
end

local function replication()
  if '@FORGETTING@' == 'off' then
    -- It is not compared with anything, and INFO may be forbidden.
    return string.rep('0', 40), ''
  end
  local info = redis.call('INFO', 'replication')
  return string.match(info, 'master_replid:(%x+)') or string.rep('0', 40), string.match(info, 'master_replid2:(%x+)') or ''
end

-- Returns how long a bucket's grace period lasts still, and whether it begins now; 0 outside one.
local function graceOf(bucket, witness)
  if isWitnessed(witness) then
    return 0
  end
  local evidence = redis.call('HGET', bucket, 'e')
  local history, earlier = replication()
  local ends, why = 0, '1'
  local known, same = evidence and #evidence == 89, false
  if known then
    ends, why = struct.unpack('<dc1', evidence, 81)
    same = string.sub(evidence, 41, 80) == history
  end
  local mine = known and string.sub(evidence, 1, 40) == me
  local trusted = mine and (same or not string.find(earlier, '[^0]'))
  if not trusted then
    ends, why = now + @GRACE@, not known and '1' or not mine and '2' or '3'
  elseif ends > now + @GRACE@ then
    -- The clock was set back.
    ends, same = now + @GRACE@, false
  end
  if urgent then
    -- Full memory refuses a script's first write, and this one changes nothing.
    redis.call('HDEL', bucket, '')
  end
  if not trusted or not same then
    redis.call('HSET', bucket, 'e', me .. history .. struct.pack('<d', ends) .. why)
    -- Also in the copies of this bucket: one that is this process's own must not outlive the change of its history.
    redis.call('HDEL', bucket, 'w')
  end
  if ends > now then
    return ends - now, not trusted
  end
  redis.set_repl(redis.REPL_NONE)
  redis.call('HSET', bucket, 'w', me .. struct.pack('<d', now))
  redis.set_repl(redis.REPL_ALL)
  return 0
end
