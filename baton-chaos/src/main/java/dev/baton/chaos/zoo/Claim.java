package dev.baton.chaos.zoo;

import dev.baton.tck.history.Portion;
import java.time.Duration;
import java.util.List;

/**
 * One request for a part of a name.
 *
 * @param name the name
 * @param owner marks the part as taken by this request
 * @param lease how long it is granted
 * @param portion how much
 */
record Claim(String name, String owner, Duration lease, Portion portion) {
    /**
     * Ends the holds whose time is over: their permits come back. A name is a hash with a field for each hold, and one for
     * the sum of their weights.
     */
    private static final String SCRIPT_REAP = """
            local now = redis.call('TIME')
            now = now[1] * 1000 + math.floor(now[2] / 1000)
            local weight = tonumber(ARGV[3])
            local used = tonumber(redis.call('HGET', KEYS[1], 'used') or '0')
            local all = redis.call('HGETALL', KEYS[1])
            for i = 1, #all, 2 do
              local deadline, taken = string.match(all[i + 1], '^(%d+) (%d+)$')
              if deadline and tonumber(deadline) <= now then
                redis.call('HDEL', KEYS[1], all[i])
                used = used - taken
              end
            end
            local done = 0
            local function hold()
              redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f %.0f', now + ARGV[2], weight))
              done = 1
            end
            """;

    private static final String SCRIPT_KEEP = """
            if used == 0 then
              redis.call('DEL', KEYS[1])
            else
              redis.call('HSET', KEYS[1], 'used', string.format('%.0f', used))
              redis.call('PEXPIRE', KEYS[1], 2 * ARGV[2])
            end
            return done
            """;

    /** Runs a step between the end of old holds and the writing of the sum. Returns whether the step was done. */
    boolean run(Redis redis, String step) {
        return redis.run(
                        SCRIPT_REAP + step + SCRIPT_KEEP,
                        List.of(Redis.PREFIX + "share:" + name),
                        owner,
                        Long.toString(lease.toMillis()),
                        Integer.toString(portion.weight()),
                        Integer.toString(portion.capacity()))
                == 1;
    }

    /** Prolongs the hold. Returns whether it was there. */
    boolean prolong(Redis redis) {
        return run(redis, "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then hold() end\n");
    }
}
