package dev.baton.demo;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A lock on a key-value server, as the literature develops it step by step: one way to acquire and one to release it.
 */
final class BrokenLock implements ShopLock {
    /** Longer than any sale, so that it only affects a holder in trouble. */
    static final Duration EXPIRY = Duration.ofMillis(500);

    private static final String KEY = "lock";

    private final KeyValue server;
    private final Take take;
    private final Free free;

    BrokenLock(KeyValue server, Take take, Free free) {
        this.server = server;
        this.take = take;
        this.free = free;
    }

    @Override
    public Hold acquire() throws InterruptedException {
        String owner = UUID.randomUUID().toString();
        while (!take.tryTake(server, KEY, owner)) {
            Pause.millis(ThreadLocalRandom.current().nextInt(1, 6));
        }
        return new Held(owner);
    }

    @Override
    public void close() {
        server.close();
    }

    /** No lock at all. */
    static boolean walkIn(KeyValue server, String key, String owner) {
        return true;
    }

    /** Two calls: another client may set the key between them. */
    static boolean checkThenSet(KeyValue server, String key, String owner) {
        if (server.get(key).isPresent()) {
            return false;
        }
        server.set(key, owner);
        return true;
    }

    /** One call, without expiry: a holder that dies leaves the lock behind. */
    static boolean setIfAbsent(KeyValue server, String key, String owner) {
        return server.setIfAbsent(key, owner, Optional.empty());
    }

    /** One call, with expiry: a slow holder loses the lock and does not know it. */
    static boolean setIfAbsentForAWhile(KeyValue server, String key, String owner) {
        return server.setIfAbsent(key, owner, Optional.of(EXPIRY));
    }

    /** There is nothing to release. */
    static void walkOut(KeyValue server, String key, String owner) {}

    /** Deletes the lock, even if another client holds it. */
    static void delete(KeyValue server, String key, String owner) {
        server.delete(key);
    }

    /** Two calls: between them the lock may expire, and another client may acquire it. */
    static void compareThenDelete(KeyValue server, String key, String owner) {
        if (server.get(key).filter(owner::equals).isPresent()) {
            server.delete(key);
        }
    }

    /** One call: correct, but still not enough. */
    static void compareAndDelete(KeyValue server, String key, String owner) {
        server.compareAndDelete(key, owner);
    }

    /** A way to acquire the lock. */
    @FunctionalInterface
    interface Take {
        boolean tryTake(KeyValue server, String key, String owner);
    }

    /** A way to release the lock. */
    @FunctionalInterface
    interface Free {
        void free(KeyValue server, String key, String owner);
    }

    private final class Held implements Hold {
        private final String owner;

        private Held(String owner) {
            this.owner = owner;
        }

        @Override
        public long token() {
            return 0;
        }

        @Override
        public boolean believed() {
            return true;
        }

        @Override
        public void release() {
            free.free(server, KEY, owner);
        }
    }
}
