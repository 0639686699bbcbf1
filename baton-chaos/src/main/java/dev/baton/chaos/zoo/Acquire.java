package dev.baton.chaos.zoo;

import java.util.List;

/** How a lock is taken. */
enum Acquire {
    /** In one step, for the time of a lease. */
    ONE_STEP {
        @Override
        boolean take(Redis redis, Ask ask) {
            return redis.setIfAbsent(ask);
        }
    },
    /** In one step, also by a request whose owner has the lock already. */
    ONE_STEP_OR_OWN {
        @Override
        boolean take(Redis redis, Ask ask) {
            return redis.run(
                            "if redis.call('GET', KEYS[1]) == ARGV[1]"
                                    + " or redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end"
                                    + " return 0",
                            List.of(ask.key()),
                            ask.owner(),
                            ask.leaseMillis())
                    == 1;
        }
    },
    /** Looks whether it is free, and sets it then. */
    CHECK_THEN_SET {
        @Override
        boolean take(Redis redis, Ask ask) {
            if (!redis.isFree(ask)) {
                return false;
            }
            redis.set(ask);
            return true;
        }
    },
    /** In one step, for ever. */
    FOR_EVER {
        @Override
        boolean take(Redis redis, Ask ask) {
            return redis.setIfAbsentForEver(ask);
        }
    },
    /** In one step for ever, and limited by a second. */
    LIMITED_LATER {
        @Override
        boolean take(Redis redis, Ask ask) {
            return redis.setIfAbsentForEver(ask)
                    && redis.expire(ask, ask.lease().toMillis());
        }
    },
    /** In one step; if it is taken, the request waits in a queue. */
    QUEUED {
        @Override
        boolean take(Redis redis, Ask ask) {
            return Queue.enter(redis, ask);
        }
    };

    abstract boolean take(Redis redis, Ask ask);
}
