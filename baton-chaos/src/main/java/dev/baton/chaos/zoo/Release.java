package dev.baton.chaos.zoo;

import java.util.List;

/** How a lock is given back. Each answers whether the lock was there to be given back. */
enum Release {
    /** Compares the owner and deletes in one step. */
    COMPARED {
        @Override
        boolean free(Redis redis, Ask ask) {
            return redis.run(
                            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end"
                                    + " return 0",
                            List.of(ask.key()),
                            ask.owner())
                    == 1;
        }
    },
    /** Deletes. */
    ANY_OWNER {
        @Override
        boolean free(Redis redis, Ask ask) {
            return redis.delete(ask);
        }
    },
    /** Compares the owner, and deletes in a second step. */
    TWO_STEPS {
        @Override
        boolean free(Redis redis, Ask ask) {
            return redis.isOwner(ask) && redis.delete(ask);
        }
    },
    /** Compares the owner, deletes and hands over to the first waiter in one step. */
    SHIFTED {
        @Override
        boolean free(Redis redis, Ask ask) {
            return Queue.free(redis, ask);
        }
    },
    /** Hands over to the first waiter, also if another has the lock. */
    SHIFTED_BY_ANY_OWNER {
        @Override
        boolean free(Redis redis, Ask ask) {
            return Queue.shift(redis, ask);
        }
    };

    abstract boolean free(Redis redis, Ask ask);
}
