package dev.baton.chaos.zoo;

import java.util.List;

/**
 * Scripts of a lock whose waiters are in a queue: a list of owners. A key that ends by itself shows that a waiter is
 * still there. Each script first hands a free lock to the first waiter that is there, and pushes the grant.
 */
final class Queue {
    private static final String SCRIPT_ADVANCE = """
            local function advance()
              while redis.call('EXISTS', KEYS[1]) == 0 do
                local head = redis.call('LPOP', KEYS[2])
                if not head then return end
                if redis.call('DEL', KEYS[2] .. ':' .. head) == 1 then
                  redis.call('SET', KEYS[1], head, 'PX', ARGV[2])
                  local now = redis.call('TIME')
                  redis.call('PUBLISH', ARGV[3] .. string.match(head, '^[^:]+'),
                    ARGV[4] .. ' ' .. head .. ' ' .. string.format('%.0f', now[1] * 1000000 + now[2]))
                end
              end
            end
            local mine = redis.call('GET', KEYS[1]) == ARGV[1]
            """;

    private static final String SCRIPT_ENTER = SCRIPT_ADVANCE + """
            advance()
            local owner = redis.call('GET', KEYS[1])
            if owner == ARGV[1] then return 1 end
            if not owner then
              redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
              return 1
            end
            if not redis.call('SET', KEYS[2] .. ':' .. ARGV[1], 1, 'PX', 2 * ARGV[2], 'GET') then
              redis.call('RPUSH', KEYS[2], ARGV[1])
            end
            return 0
            """;

    private static final String SCRIPT_LEAVE = SCRIPT_ADVANCE + """
            redis.call('DEL', KEYS[2] .. ':' .. ARGV[1])
            redis.call('LREM', KEYS[2], 0, ARGV[1])
            if mine then redis.call('DEL', KEYS[1]) end
            advance()
            return 0
            """;

    private static final String SCRIPT_FREE = SCRIPT_ADVANCE + """
            if mine then redis.call('DEL', KEYS[1]) end
            advance()
            return mine and 1 or 0
            """;

    private static final String SCRIPT_SHIFT = SCRIPT_ADVANCE + """
            redis.call('DEL', KEYS[1])
            advance()
            return mine and 1 or 0
            """;

    private Queue() {}

    private static boolean run(Redis redis, String script, Ask ask) {
        return redis.run(
                        script,
                        List.of(ask.key(), ask.queueKey()),
                        ask.owner(),
                        ask.leaseMillis(),
                        Redis.PUSHES,
                        ask.name())
                == 1;
    }

    /** Takes the lock, or waits in the queue. Returns whether the lock belongs to the request now. */
    static boolean enter(Redis redis, Ask ask) {
        return run(redis, SCRIPT_ENTER, ask);
    }

    /** Waits no more, and gives back the lock if it was granted meanwhile. */
    static void leave(Redis redis, Ask ask) {
        run(redis, SCRIPT_LEAVE, ask);
    }

    /** Gives the lock back. Returns whether the request had it. */
    static boolean free(Redis redis, Ask ask) {
        return run(redis, SCRIPT_FREE, ask);
    }

    /** Hands the lock on, also if another request has it. Returns whether the request had it. */
    static boolean shift(Redis redis, Ask ask) {
        return run(redis, SCRIPT_SHIFT, ask);
    }
}
