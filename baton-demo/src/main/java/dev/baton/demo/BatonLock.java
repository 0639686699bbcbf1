package dev.baton.demo;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Baton's lock. One client for all threads of the process. */
final class BatonLock implements ShopLock {
    /** Short, so that users do not have to wait half a minute for a dead holder's lock. */
    static final Duration LEASE_TIME = Duration.ofSeconds(1);

    /** How long a buyer waits for a store that does not answer, or is in a grace period: longer than both take. */
    static final Duration PATIENCE = BatonOptions.DEFAULT_GRACE.plusSeconds(30);

    /**
     * Short sessions for stores where a lock ends with its holder's session: the shortest that servers allow by
     * default.
     */
    private static final Map<String, String> SHORT_SESSIONS =
            Map.of("zookeeper", "sessionTimeout=4s", "etcd", "ttl=4s");

    private final Baton baton;
    private final DistributedLock lock;
    private volatile CountDownLatch renewed = new CountDownLatch(1);

    BatonLock(String storeUri, String name) {
        this.baton = Baton.connect(
                quick(storeUri),
                BatonOptions.builder()
                        .applicationName("baton demo")
                        .leaseTime(LEASE_TIME)
                        .storeTimeout(PATIENCE)
                        .listener(this::hear)
                        .build());
        this.lock = baton.lock(name);
    }

    /** Returns the address with short sessions, unless it sets the session time itself. */
    static String quick(String storeUri) {
        String session = SHORT_SESSIONS.get(storeUri.substring(0, Math.max(0, storeUri.indexOf(':'))));
        if (session == null || storeUri.contains(session.substring(0, session.indexOf('=')))) {
            return storeUri;
        }
        return storeUri + (storeUri.indexOf('?') < 0 ? '?' : '&') + session + "&shortLeases=true";
    }

    @Override
    public Hold acquire() throws InterruptedException {
        return new Held(lock.acquire());
    }

    @Override
    public void close() {
        baton.close();
    }

    private void hear(BatonEvent event) {
        if (event.type() == BatonEvent.Type.RENEWED) {
            renewed.countDown();
        }
    }

    private final class Held implements Hold {
        private final Lease lease;

        private Held(Lease lease) {
            this.lease = lease;
        }

        @Override
        public long token() {
            return lease.token();
        }

        @Override
        public boolean believed() {
            return lease.isHeld();
        }

        @Override
        public void settle() throws InterruptedException {
            CountDownLatch next = new CountDownLatch(1);
            renewed = next;
            // After a renewal, the next one comes no earlier than a sixth of the lease time later, and usually a third.
            boolean unused = next.await(LEASE_TIME.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void release() {
            lease.close();
        }
    }
}
