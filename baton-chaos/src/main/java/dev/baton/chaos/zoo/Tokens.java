package dev.baton.chaos.zoo;

import java.util.List;

/** Where fencing tokens come from. */
enum Tokens {
    /** There are none. */
    NONE,
    /** The server's clock, or one more than the last one, drawn under the lock. */
    CLOCKED {
        @Override
        long underLock(Redis redis, Ask ask, long drawnBefore) {
            return redis.run(
                    "local now = redis.call('TIME')"
                            + " local token = math.max(now[1] * 1000000 + now[2],"
                            + " tonumber(redis.call('GET', KEYS[1]) or '0') + 1)"
                            + " redis.call('SET', KEYS[1], string.format('%.0f', token)) return token",
                    List.of(ask.tokenKey()));
        }
    },
    /** A counter at the server, drawn under the lock. */
    COUNTED {
        @Override
        long underLock(Redis redis, Ask ask, long drawnBefore) {
            return redis.increment(ask.tokenKey());
        }
    },
    /** A counter at the server, drawn before the lock is asked for. */
    DRAWN_BEFORE {
        @Override
        long before(Redis redis, Ask ask) {
            return redis.increment(ask.tokenKey());
        }

        @Override
        long underLock(Redis redis, Ask ask, long drawnBefore) {
            return drawnBefore;
        }
    };

    private static final long MISSING = -1;

    long before(Redis redis, Ask ask) {
        return MISSING;
    }

    long underLock(Redis redis, Ask ask, long drawnBefore) {
        return MISSING;
    }
}
