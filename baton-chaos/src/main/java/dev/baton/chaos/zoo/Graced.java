package dev.baton.chaos.zoo;

import dev.baton.chaos.lock.UnansweredException;
import java.util.List;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Scripts of a lock with a queue and a grace period. The lock is a key with the token and the owner. Waiters are in the
 * order in which they came, and have to be seen, or the lock is not handed to them. Immutable.
 */
final class Graced {
    /** Longer than a waiter waits before it asks again. */
    private static final String SEEN_MICROS = "200000";

    private static final String SCRIPT = """
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local lease = tonumber(ARGV[2])
            local token = tonumber(ARGV[5])
            local process = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
            local history = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
            local known = 'zoo-grace:' .. @EVIDENCE@
            local ends = redis.call('GET', known)
            if not ends then
              ends = string.format('%.0f', now + lease * 1000)
              redis.call('SET', known, ends)
            end
            local grace = tonumber(ends) > now

            local function last()
              return tonumber(redis.call('GET', KEYS[4]) or '0')
            end

            local function owner()
              local value = redis.call('GET', KEYS[1])
              if value then return string.match(value, ' (.*)$'), tonumber(string.match(value, '^%d+')) end
            end

            local function keep(to, number)
              if number > last() then redis.call('SET', KEYS[4], string.format('%.0f', number)) end
              redis.call('SET', KEYS[1], string.format('%.0f', number) .. ' ' .. to, 'PX', lease)
            end

            local function leave(who)
              redis.call('ZREM', KEYS[2], who)
              redis.call('ZREM', KEYS[3], who)
            end

            local function advance()
              while not grace and redis.call('EXISTS', KEYS[1]) == 0 do
                local head = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
                if not head then return end
                local seen = tonumber(redis.call('ZSCORE', KEYS[3], head) or '0')
                leave(head)
                if now - seen < @SEEN@ then
                  local number = math.max(last() + 1, now)
                  keep(head, number)
                  if head ~= ARGV[1] then
                    redis.call('PUBLISH', ARGV[3] .. string.match(head, '^[^:]+'),
                      ARGV[4] .. ' ' .. head .. ' ' .. string.format('%.0f', number))
                  end
                end
              end
            end
            """;

    private static final String ENTER = """
            local who, number = owner()
            if who == ARGV[1] then return number end
            redis.call('ZADD', KEYS[2], 'NX', now, ARGV[1])
            redis.call('ZADD', KEYS[3], now, ARGV[1])
            redis.call('PEXPIRE', KEYS[2], 2 * lease)
            redis.call('PEXPIRE', KEYS[3], 2 * lease)
            advance()
            who, number = owner()
            return who == ARGV[1] and number or 0
            """;

    private static final String PROLONG = """
            if owner() == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], lease) end
            if grace and @PUT_BACK@ then
              keep(ARGV[1], token)
              return 1
            end
            advance()
            return 0
            """;

    /** A lock that was forgotten is as good as given back. */
    private static final String END = """
            leave(ARGV[1])
            local mine = owner() == ARGV[1]
            if mine then redis.call('DEL', KEYS[1]) end
            advance()
            return (mine or grace) and 1 or 0
            """;

    private final FailoverDesign design;
    private final String begin;

    Graced(FailoverDesign design) {
        this.design = design;
        this.begin =
                SCRIPT.replace("@EVIDENCE@", design.evidence().expression()).replace("@SEEN@", SEEN_MICROS);
    }

    private static List<String> keys(Ask ask) {
        return List.of(ask.key(), ask.queueKey(), ask.waitersKey(), ask.tokenKey());
    }

    private static String[] arguments(Ask ask, long token) {
        return new String[] {ask.owner(), ask.leaseMillis(), Redis.PUSHES, ask.name(), Long.toString(token)};
    }

    private long run(Redis server, String script, Ask ask) {
        return server.run(begin + script, keys(ask), arguments(ask, 0));
    }

    /**
     * Takes the lock, or waits in the queue.
     *
     * @return the token; 0 if another has the lock, or nothing is granted now
     */
    long enter(Redis server, Ask ask) {
        long token = run(server, ENTER, ask);
        boolean isOver = design.writes() == FailoverDesign.Writes.AT_THE_PRIMARY || token == 0;
        return isOver || isConfirmed(server, ask, token) ? token : 0;
    }

    /**
     * A renewal reaches a replica only after the grant. Without one the request has failed, but that alone is no reason to
     * look for another primary: a replica may be down.
     */
    private boolean isConfirmed(Redis server, Ask ask, long token) {
        try {
            return prolong(server, ask, token);
        } catch (JedisException unknown) {
            end(server, ask);
            throw new UnansweredException(unknown);
        }
    }

    /** Prolongs a hold, or puts it back in a grace period. Returns whether the lock belongs to the owner now. */
    boolean prolong(Redis server, Ask ask, long token) {
        String script = begin + PROLONG.replace("@PUT_BACK@", design.putBack().condition());
        return switch (design.writes()) {
                    case AT_THE_PRIMARY -> server.run(script, keys(ask), arguments(ask, token));
                    case AT_A_REPLICA -> server.runReplicated(script, keys(ask), arguments(ask, token));
                }
                == 1;
    }

    /** Gives the lock back, or waits no more. Returns whether the lock was there, or may have been forgotten. */
    boolean end(Redis server, Ask ask) {
        return run(server, END, ask) == 1;
    }
}
