package dev.baton.chaos.zoo;

import java.util.List;

/** How a watchdog prolongs a lease. Each answers whether the lock was prolonged. */
enum Renewal {
    /** Compares the owner and prolongs in one step. */
    COMPARED {
        @Override
        boolean prolong(Redis redis, Ask ask) {
            return prolongOwn(redis, ask, ask.lease().toMillis());
        }
    },
    /** Prolongs the lock of any owner. */
    ANY_OWNER {
        @Override
        boolean prolong(Redis redis, Ask ask) {
            return redis.expire(ask, ask.lease().toMillis());
        }
    },
    /** Sets the lock anew. */
    SET_ANEW {
        @Override
        boolean prolong(Redis redis, Ask ask) {
            redis.set(ask);
            return true;
        }
    },
    /** Grants half a lease. */
    SHORTENED {
        @Override
        boolean prolong(Redis redis, Ask ask) {
            return prolongOwn(redis, ask, ask.lease().toMillis() / 2);
        }
    };

    abstract boolean prolong(Redis redis, Ask ask);

    private static boolean prolongOwn(Redis redis, Ask ask, long millis) {
        return redis.run(
                        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2])"
                                + " end return 0",
                        List.of(ask.key()),
                        ask.owner(),
                        Long.toString(millis))
                == 1;
    }
}
