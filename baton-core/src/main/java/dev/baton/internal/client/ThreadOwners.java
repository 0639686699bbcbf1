package dev.baton.internal.client;

import dev.baton.internal.engine.Outbox;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which thread owns which name by how many locks. An entry is touched by its own thread alone. */
final class ThreadOwners {
    private record Key(String name, Thread thread) {}

    /** One thread's ownership. */
    static final class Owned {
        final LeaseHandle lease;
        int count = 1;

        private Owned(LeaseHandle lease) {
            this.lease = lease;
        }
    }

    private final Map<Key, Owned> owned = new ConcurrentHashMap<>();

    @Nullable
    Owned mine(String name) {
        return owned.get(new Key(name, Thread.currentThread()));
    }

    void enter(String name, LeaseHandle lease) {
        owned.put(new Key(name, Thread.currentThread()), new Owned(lease));
    }

    void leave(String name) {
        owned.remove(new Key(name, Thread.currentThread()));
    }

    /** Nobody can unlock for a thread that has ended: its holds are no longer renewed. */
    void abandonThoseOfDeadThreads(Outbox out) {
        owned.entrySet().removeIf(entry -> {
            boolean dead = !entry.getKey().thread().isAlive();
            if (dead) {
                entry.getValue().lease.grant().abandoned(out);
            }
            return dead;
        });
    }
}
