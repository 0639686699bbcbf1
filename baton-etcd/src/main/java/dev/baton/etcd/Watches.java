package dev.baton.etcd;

import dev.baton.internal.ordered.OrderedServer;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches that report once. A watch that breaks, for any reason, reports that something may have changed and ends: a
 * client that still wants to know reads and watches again.
 *
 * <p>A watch begins with new events. After it is established, the watched keys are read, unless nothing at all has
 * happened since the last read. etcd would also begin with a past revision, but it serves such a watch only every 100
 * ms, until it has caught up.
 *
 * <p>The member that serves the watch may be behind what its client knows: it has just started, or was stopped. Then it
 * reports first what the client has seen long ago. Such events have no effect. Otherwise the end of an entry's
 * predecessor in the same seat would be taken for the end of the entry, and the client behind it would hold too early.
 * Thread-safe.
 */
final class Watches {
    private final Client client;
    private final Set<Once> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Watches(Client client) {
        this.client = client;
    }

    /**
     * The state known before a watch is established.
     *
     * @param revision the revision of that state
     * @param gone finds out what happened since: whether the watched key has gone; empty if nothing happened
     */
    record Known(long revision, Supplier<CompletableFuture<Optional<Boolean>>> gone) {}

    /** Watches one key: until it goes, or also until it is written. */
    void key(ByteSequence key, boolean writes, Known known, OrderedServer.Watcher watcher) {
        start(key, WatchOption.builder().withNoPut(!writes), new Once(watcher, true, known));
    }

    /** Watches all keys with a prefix, until one of them comes or goes. */
    void prefix(ByteSequence prefix, Known known, OrderedServer.Watcher watcher) {
        start(prefix, WatchOption.builder().isPrefix(true), new Once(watcher, false, known));
    }

    private void start(ByteSequence key, WatchOption.Builder option, Once once) {
        open.add(once);
        try {
            once.startedAs(client.getWatchClient()
                    .watch(
                            key,
                            option.withCreateNotify(true)
                                    .withRequireLeader(true)
                                    .build(),
                            once));
        } catch (RuntimeException away) {
            once.onError(away);
        }
        if (closed) {
            once.end();
        }
    }

    /** Returns how many watches there are. */
    int number() {
        return open.size();
    }

    void close() {
        closed = true;
        open.forEach(Once::end);
    }

    private final class Once implements Watch.Listener {
        private final OrderedServer.Watcher watcher;
        private final boolean isOfOne;
        private final Known known;
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile Watch.@Nullable Watcher handle;

        Once(OrderedServer.Watcher watcher, boolean isOfOne, Known known) {
            this.watcher = watcher;
            this.isOfOne = isOfOne;
            this.known = known;
        }

        void startedAs(Watch.Watcher started) {
            handle = started;
            if (over.get()) {
                started.close();
            }
        }

        boolean end() {
            if (!over.compareAndSet(false, true)) {
                return false;
            }
            open.remove(this);
            Watch.Watcher started = handle;
            if (started != null) {
                started.close();
            }
            return true;
        }

        private void tell(boolean gone) {
            if (end() && !closed) {
                watcher.changed(gone);
            }
        }

        /** Handles an established watch: it reports later events, but earlier ones were not seen. */
        private void stands(long revision) {
            if (revision > known.revision && !over.get()) {
                CompletableFuture<?> unused = known.gone.get().whenComplete((gone, failed) -> {
                    if (failed != null) {
                        tell(false);
                    } else {
                        gone.ifPresent(this::tell);
                    }
                });
            }
        }

        @Override
        public void onNext(WatchResponse response) {
            if (response.isCreatedNotify()) {
                stands(response.getHeader().getRevision());
            }
            for (WatchEvent event : response.getEvents()) {
                if (event.getKeyValue().getModRevision() <= known.revision) {
                    continue;
                }
                boolean gone = event.getEventType() == WatchEvent.EventType.DELETE;
                boolean made = event.getKeyValue().getVersion() == 1;
                if (gone || isOfOne || made) {
                    tell(gone && isOfOne);
                    return;
                }
            }
        }

        @Override
        public void onError(Throwable broken) {
            tell(false);
        }

        @Override
        public void onCompleted() {
            tell(false);
        }
    }
}
