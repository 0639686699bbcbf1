package dev.baton.memcached;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * One client's access to a Memcached, with one item for each held lock. If the item is gone, expired or evicted, the
 * lock is free, and the hold is lost. Thread-safe.
 */
final class MemcachedStore implements Store {
    static final Capabilities CAPABILITIES =
            Capabilities.builder("Memcached", Capabilities.Reach.NETWORK).build();

    private final String client;
    private final Server server;
    private final Items items;
    private final Locks locks;
    private final UnderWay underWay = new UnderWay();
    private final Listing listing;
    private final List<String> warnings;

    MemcachedStore(
            StoreConfig config, Keys keys, Server server, List<String> warnings, Expiry expiry, LongSupplier clock) {
        this.client = config.clientId();
        this.server = server;
        this.warnings = List.copyOf(warnings);
        this.items = new Items(config.timings(), expiry);
        this.locks = new Locks(client, keys, items, clock);
        this.listing = new Listing(keys, items);
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public String namespaceId() {
        return server.namespaceId();
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public Map<String, String> facts(long timeoutNanos) throws StoreFailure {
        return Facts.of(server, Deadline.in(timeoutNanos)).forPeople();
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        requireServed(command);
        Runnable back = underWay.begin(command.attempt().value());
        return server.run(Deadline.in(timeoutNanos), (session, time) -> locks.acquire(session, command, time), back);
    }

    private static void requireServed(Acquire command) throws StoreFailure {
        if (command.resource().kind() != Kind.LOCK) {
            throw refused("\"" + command.resource().name() + "\" cannot be a "
                    + command.resource().kind() + " on Memcached, which has only locks");
        }
        if (command.leaseMicros() > Items.MAX_MICROS - command.lockDelayMicros()) {
            throw refused("a lease and its lock-delay can take a year together on Memcached");
        }
    }

    private static StoreFailure refused(String message) {
        return new StoreFailure(Effect.NONE, Reason.UNFIT, message, null);
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        return server.run(deadline, (session, time) -> locks.heartbeat(session, command, time));
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        return change(
                command.resource().name(),
                Deadline.in(timeoutNanos),
                (state, ledger) -> new Release.Reply(ledger.stamp(), state.release(client, command, ledger)));
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        String name = command.resource().name();
        Deadline deadline = Deadline.in(timeoutNanos);
        locks.refuse(name, command.attempt());
        underWay.await(command.attempt(), deadline);
        return change(name, deadline, (state, ledger) -> {
            state.cancel(client, command, ledger);
            return ledger.stamp();
        });
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        return change(name, Deadline.in(timeoutNanos), (state, ledger) -> state.forceRelease(token, now, ledger));
    }

    private <T> T change(String name, Deadline deadline, Locks.Step<T> step) throws StoreFailure {
        return server.run(deadline, (session, time) -> locks.change(session, name, time, step));
    }

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        return server.run(deadline, (session, time) -> {
            Stamp stamp = locks.stamp(session);
            return items.state(name, locks.look(session, name, stamp, time)).view(stamp);
        });
    }

    @Override
    public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        return server.runAlone(
                deadline, (session, time) -> listing.list(session, prefix, after, limit, locks.stamp(session), time));
    }

    @Override
    public void close() {
        server.close();
    }
}
