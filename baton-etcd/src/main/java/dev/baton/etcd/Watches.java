package dev.baton.etcd;

import dev.baton.spi.line.LineServer;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Watches that tell once. One that breaks, whatever for, tells that something may have changed and is over: whoever
 * still wants to know looks and watches again. Thread-safe.
 */
final class Watches {
    private final Client client;
    private final Set<Once> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Watches(Client client) {
        this.client = client;
    }

    /** Watches one key: until it goes, or also until it is written. */
    void key(ByteSequence key, long fromRevision, boolean writes, LineServer.Watcher watcher) {
        start(
                key,
                WatchOption.builder()
                        .withRevision(fromRevision)
                        .withNoPut(!writes)
                        .withRequireLeader(true)
                        .build(),
                new Once(watcher, true));
    }

    /** Watches all keys with a prefix, until one of them comes or goes. */
    void prefix(ByteSequence prefix, long fromRevision, LineServer.Watcher watcher) {
        start(
                prefix,
                WatchOption.builder()
                        .isPrefix(true)
                        .withRevision(fromRevision)
                        .withRequireLeader(true)
                        .build(),
                new Once(watcher, false));
    }

    private void start(ByteSequence key, WatchOption option, Once once) {
        open.add(once);
        try {
            once.startedAs(client.getWatchClient().watch(key, option, once));
        } catch (RuntimeException away) {
            once.onError(away);
        }
        if (closed) {
            once.end();
        }
    }

    /** How many there are. */
    int number() {
        return open.size();
    }

    void close() {
        closed = true;
        open.forEach(Once::end);
    }

    private final class Once implements Watch.Listener {
        private final LineServer.Watcher watcher;
        private final boolean isOfOne;
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile Watch.@Nullable Watcher handle;

        Once(LineServer.Watcher watcher, boolean isOfOne) {
            this.watcher = watcher;
            this.isOfOne = isOfOne;
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

        @Override
        public void onNext(WatchResponse response) {
            for (WatchEvent event : response.getEvents()) {
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
