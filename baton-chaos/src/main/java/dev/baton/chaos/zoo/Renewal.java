package dev.baton.chaos.zoo;

import java.util.List;

/** How a watchdog prolongs a lease. Each answers whether the lock was prolonged. */
enum Renewal {
    /** Compares the owner and prolongs in one step. */
    COMPARED {
        @Override
        boolean prolong(Redis redis, Ask ask) {
            return redis.run(
                            "if redis.call('GET', KEYS[1]) == ARGV[1]"
                                    + " then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0",
                            List.of(ask.key()),
                            ask.owner(),
                            ask.leaseMillis())
                    == 1;
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
    };

    abstract boolean prolong(Redis redis, Ask ask);
}
