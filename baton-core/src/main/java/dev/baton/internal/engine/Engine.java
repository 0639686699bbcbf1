package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import dev.baton.BatonException;
import dev.baton.BatonListener;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One client's engine: a {@link LocalResource} for every name that is held or waited for, one counter for all
 * commands, one watchdog for all holds and tickets.
 *
 * <p>Thread-safe. Events come in from callers, answers, pushes and the watchdog, on any thread; what is to be done
 * goes out by an {@link Outbox} after every lock is let go.
 */
public final class Engine {
    /** Further away than any process lives, and small enough to be added to any time. */
    static final long FAR_NANOS = Long.MAX_VALUE / 4;

    /** A server whose clock has run ahead of ours by more than this since its last answer is asked before a push is believed. */
    private static final long CLOCK_JUMP_NANOS = 20_000_000;

    private static final System.Logger LOG = System.getLogger("dev.baton");

    private final EngineSettings settings;
    private final Clock clock;
    private final Driver driver;
    private final DoubleSupplier random;
    private final @Nullable BatonListener listener;
    private final Map<String, LocalResource> resources = new ConcurrentHashMap<>();
    private final AtomicLong counter = new AtomicLong();
    private volatile Belief.@Nullable Sync lastSync;
    private volatile boolean closed;

    /**
     * An engine.
     *
     * @param settings what it is told once
     * @param clock the client's clocks
     * @param driver what it has done in the world
     * @param random 0 to 1, for jitter
     * @param listener hears of events; null for nobody
     */
    public Engine(
            EngineSettings settings,
            Clock clock,
            Driver driver,
            DoubleSupplier random,
            @Nullable BatonListener listener) {
        this.settings = settings;
        this.clock = clock;
        this.driver = driver;
        this.random = random;
        this.listener = listener;
    }

    // ---- events from outside -------------------------------------------------------------------------------------

    /** A caller asks for a resource. */
    public void acquire(Resource id, Waiter waiter, Outbox out) {
        if (closed) {
            throw closedException();
        }
        LocalResource resource;
        do {
            resource = resources.computeIfAbsent(id.name(), name -> new LocalResource(this, id));
        } while (!resource.acquire(waiter, out));
        if (closed) {
            // Came in while the client closed: its resource may have been visited already.
            resource.close(new Closing(), out);
            out.dropCommands();
        }
    }

    /** A caller goes away; no effect if its outcome is there already. */
    public void giveUp(Waiter waiter, Outbox out) {
        LocalResource resource = waiter.resource;
        if (resource != null) {
            resource.giveUp(waiter, out);
        }
    }

    /** The store pushed a grant. */
    public void onPush(Push push, Outbox out) {
        LocalResource resource = resources.get(push.name());
        if (resource != null) {
            resource.onPush(push, out);
        }
    }

    /** Pushes may have been missed, or the server is another: asks about everything. */
    public void onReconnect() {
        askAgain();
        wakeAt(clock.nanos());
    }

    /** Makes a heartbeat due for everything, at the next tick. */
    public void askAgain() {
        resources.values().forEach(LocalResource::askAgain);
    }

    /** Time has come: renews, confirms, polls, tells losses, resumes what was put off. */
    public void tick(Outbox out) {
        long now = clock.nanos();
        HeartbeatBatch batch = new HeartbeatBatch(this, out);
        long next = now + FAR_NANOS;
        for (LocalResource resource : resources.values()) {
            long due = tick(resource, now, batch, out);
            next = due - next < 0 ? due : next;
        }
        batch.send();
        wakeAt(next);
    }

    /** A defect in one resource must not keep the others from being renewed. */
    private static long tick(LocalResource resource, long now, HeartbeatBatch batch, Outbox out) {
        try {
            return resource.tick(now, batch, out);
        } catch (Throwable defect) {
            String message = "the watchdog met a defect at \"" + resource.name() + "\" and goes on";
            out.call(Driver.Kind.LOG, () -> LOG.log(System.Logger.Level.ERROR, message, defect));
            return now + EngineSettings.RETRY_MAX_NANOS;
        }
    }

    /** Fails everybody who waits, loses everything that is held, and returns what has to be ended at the store. */
    public Closing close(Outbox out) {
        closed = true;
        Closing closing = new Closing();
        resources.values().forEach(resource -> resource.close(closing, out));
        return closing;
    }

    /** How many names have any state here: for the residue checks. */
    public int size() {
        return resources.size();
    }

    // ---- for the engine's own classes ----------------------------------------------------------------------------

    EngineSettings settings() {
        return settings;
    }

    Clock clock() {
        return clock;
    }

    DoubleSupplier random() {
        return random;
    }

    void wakeAt(long nanos) {
        if (!closed && nanos - clock.nanos() < FAR_NANOS / 2) {
            driver.wakeAt(nanos);
        }
    }

    void forget(LocalResource resource) {
        resources.remove(resource.name(), resource);
    }

    CommandNumber nextNumber() {
        return new CommandNumber(counter::incrementAndGet);
    }

    CommandNumber drawnNumber() {
        return CommandNumber.of(counter.incrementAndGet());
    }

    /** Notes an answer; another server than before is asked about everything. */
    Belief.Sync synced(long sentNanos, long sentWallMillis, Stamp stamp) {
        Belief.Sync sync = new Belief.Sync(sentNanos, sentWallMillis, stamp);
        Belief.Sync before = lastSync;
        boolean other = before != null && !before.stamp().runId().equals(stamp.runId());
        if (before == null || other || sentNanos - before.sentNanos() > 0) {
            lastSync = sync;
        }
        if (other) {
            onReconnect();
        }
        return sync;
    }

    /** How far a push can be believed without asking: not at all unless its server has answered before. */
    @Nullable
    Belief beliefIn(Push push) {
        Belief.Sync sync = lastSync;
        if (sync == null || !sync.stamp().runId().equals(push.runId())) {
            return null;
        }
        long serverNanos = (push.nowMicros() - sync.stamp().nowMicros()) * 1_000;
        long ourNanos = clock.nanos() - sync.sentNanos();
        if (serverNanos > ourNanos + ourNanos / 50 + CLOCK_JUMP_NANOS) {
            return null;
        }
        return Belief.of(sync, push.deadlineMicros(), settings.trustNanos());
    }

    Command extension(LocalResource resource, Grant grant, long atLeastNanos) {
        Heartbeat heartbeat =
                new Heartbeat(drawnNumber(), List.of(grant.hold().entry(resource.id(), atLeastNanos, true)), List.of());
        Command.Beat.Extending extending = new Command.Beat.Extending(grant, atLeastNanos);
        return new Command.Beat(this, heartbeat, List.of(resource), List.of(), settings.silenceNanos(), extending);
    }

    IllegalStateException closedException() {
        return new IllegalStateException("this Baton is closed");
    }

    void report(BatonEvent.Type type, String name, long token, long elapsedNanos, String detail, Outbox out) {
        BatonListener hearer = listener;
        if (hearer != null) {
            BatonEvent event = new BatonEvent(type, name, token, Duration.ofNanos(elapsedNanos), detail);
            out.call(Driver.Kind.EVENT, () -> hearer.onEvent(event));
        }
    }

    void reportSelfWait(Grant owner, Outbox out) {
        String message = "a thread waits for \"" + owner.name() + "\", which it holds itself: a lease is not re-entrant"
                + " (use reentrantLock, or release first)";
        warn(message, takenAt(owner), out);
        report(
                BatonEvent.Type.SELF_WAIT,
                owner.name(),
                owner.token(),
                clock.nanos() - owner.grantedNanos(),
                message,
                out);
    }

    void reportAbandoned(Grant grant, Outbox out) {
        String message = "the lease of \"" + grant.name() + "\" can no longer be reached but was never released: it is"
                + " not renewed any more and ends by itself (use try-with-resources)";
        warn(message, takenAt(grant), out);
        report(
                BatonEvent.Type.ABANDONED,
                grant.name(),
                grant.token(),
                clock.nanos() - grant.grantedNanos(),
                message,
                out);
    }

    void warnOfUndoing(String name, Outbox out) {
        String message = "gave up undoing an attempt for \"" + name
                + "\": the store has not answered for longer than any hold of it can live";
        warn(message, null, out);
    }

    private static void warn(String message, @Nullable Throwable cause, Outbox out) {
        out.call(Driver.Kind.LOG, () -> LOG.log(System.Logger.Level.WARNING, message, cause));
    }

    private static @Nullable Throwable takenAt(Grant grant) {
        Throwable where = grant.takenAt();
        return where == null ? null : new BatonException("it was taken here", where);
    }
}
