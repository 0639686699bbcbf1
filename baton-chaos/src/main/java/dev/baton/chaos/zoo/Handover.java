package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import java.time.Duration;
import java.util.Optional;

/** How a waiter learns that the lock is its own. */
enum Handover {
    /** It asks again and again. */
    POLLED {
        @Override
        void begin(PushBox pushes, int client) {}

        @Override
        Optional<Long> await(Redis redis, PushBox pushes, Ask ask, Duration rest) throws InterruptedException {
            HostTime.sleep(POLL);
            return Optional.empty();
        }
    },
    /** The release pushes the grant. Its time is counted on the server's clock, since a request that was answered. */
    PUSHED,
    /** The release pushes the grant, which is taken by any request of the client for that lock. */
    PUSHED_TO_ANY_ATTEMPT {
        @Override
        String addressee(String name, String owner) {
            return name;
        }
    },
    /** The release pushes the grant, whose time is counted from its arrival. */
    PUSHED_FROM_ARRIVAL {
        @Override
        long countedFrom(long sent, long sentMicros, PushBox.Push push) {
            return HostTime.nanos();
        }
    };

    private static final Duration POLL = Duration.ofMillis(1);

    /** Hears pushes from now on. */
    void begin(PushBox pushes, int client) {
        pushes.listen(client);
    }

    /**
     * Waits for some time before the lock is asked for again.
     *
     * @param rest how long the caller still waits
     * @return from when the lease counts, if the lock was granted meanwhile
     */
    Optional<Long> await(Redis redis, PushBox pushes, Ask ask, Duration rest) throws InterruptedException {
        long sent = HostTime.nanos();
        long sentMicros = redis.micros();
        Duration beat = ask.lease().dividedBy(3);
        return pushes.await(addressee(ask.name(), ask.owner()), rest.compareTo(beat) < 0 ? rest : beat)
                .map(push -> countedFrom(sent, sentMicros, push));
    }

    /** Returns who takes a push. */
    String addressee(String name, String owner) {
        return owner;
    }

    /**
     * Returns from when the lease of a push counts.
     *
     * @param sent when a request was sent
     * @param sentMicros the server's clock in its answer
     */
    long countedFrom(long sent, long sentMicros, PushBox.Push push) {
        return sent + (push.micros() - sentMicros) * 1_000;
    }
}
