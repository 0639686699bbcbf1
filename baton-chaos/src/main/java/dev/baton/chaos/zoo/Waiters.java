package dev.baton.chaos.zoo;

/** Whether waiters are seen at the server. */
enum Waiters {
    /** They are not. */
    UNSEEN {
        @Override
        void begin(Redis redis, Ask ask) {}

        @Override
        void end(Redis redis, Ask ask) {}
    },
    /** In a set, until they say that they wait no more. */
    LISTED {
        @Override
        void begin(Redis redis, Ask ask) {
            redis.addWaiter(ask);
        }
    },
    /** In a set that ends by itself. */
    LISTED_FOR_A_TIME {
        @Override
        void begin(Redis redis, Ask ask) {
            redis.addWaiter(ask);
            redis.expireWaiters(ask);
        }
    },
    /** In a queue, whose first one gets the lock. */
    QUEUED {
        @Override
        void begin(Redis redis, Ask ask) {}

        @Override
        void end(Redis redis, Ask ask) {}

        @Override
        void giveUp(Redis redis, Ask ask) {
            Queue.leave(redis, ask);
        }
    };

    /** The request is over without the lock. */
    void giveUp(Redis redis, Ask ask) {}

    abstract void begin(Redis redis, Ask ask);

    void end(Redis redis, Ask ask) {
        redis.removeWaiter(ask);
    }
}
