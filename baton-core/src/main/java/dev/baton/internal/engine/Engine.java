package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import dev.baton.BatonException;
import dev.baton.BatonListener;
import dev.baton.LossCause;
import dev.baton.internal.Exceptions;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One client's engine: a {@link LocalResource} for every name that is held or waited for, one counter for all
 * commands, one watchdog for all holds and tickets.
 *
 * <p>Thread-safe. Events come in from callers, answers, pushes and the watchdog, on any thread. Resulting work goes out
 * through an {@link Outbox}, after every lock is released.
 */
public final class Engine {
    /** Longer than any process lives, and small enough to be added to any time. */
    static final long FAR_NANOS = Long.MAX_VALUE / 4;

    /**
     * If a server's clock has run ahead of ours by more than this since its last answer, the engine asks before it
     * believes a push.
     */
    private static final long CLOCK_JUMP_NANOS = 20_000_000;

    /** More than clocks are slewed between two reads, and less than any lease. */
    private static final long SLEPT_MILLIS = 50;

    private static final long FORGED_PER_WARNING = 100_000;

    /** 100 ms: a store that has been silent for less may work, and a caller that waited for less cannot tell. */
    private static final long TOO_SHORT_TO_KNOW_NANOS = 100_000_000;

    private static final System.Logger LOG = System.getLogger("dev.baton");

    private final EngineSettings settings;
    private final Clock clock;
    private final Driver driver;
    private final DoubleSupplier random;
    private final LongSupplier secrets;
    private final @Nullable BatonListener listener;
    private final Map<String, LocalResource> resources = new ConcurrentHashMap<>();
    private final AtomicLong counter = new AtomicLong();
    private final AtomicLong forgedPushes = new AtomicLong();
    private final AtomicLong wallLeadMillis;

    /** Releases of lost holds that the store has not answered. */
    private final Set<Release> strays = ConcurrentHashMap.newKeySet();

    private final Outage outage = new Outage(this);
    private volatile Belief.@Nullable Sync lastSync;
    private volatile boolean closed;

    /**
     * Creates an engine.
     *
     * @param settings the client's settings
     * @param clock the client's clocks
     * @param driver does the work outside the engine
     * @param random 0 to 1, for jitter
     * @param secrets unguessable random numbers, one for each ticket
     * @param listener receives events; null for none
     */
    public Engine(
            EngineSettings settings,
            Clock clock,
            Driver driver,
            DoubleSupplier random,
            LongSupplier secrets,
            @Nullable BatonListener listener) {
        this.settings = settings;
        this.clock = clock;
        this.driver = driver;
        this.random = random;
        this.secrets = secrets;
        this.listener = listener;
        this.wallLeadMillis = new AtomicLong(wallLead());
    }

    // ---- events from outside -------------------------------------------------------------------------------------

    /** Takes a caller that asks for a resource. */
    public void acquire(Resource id, Waiter waiter, Outbox out) {
        if (closed) {
            throw closedException();
        }
        LocalResource resource;
        do {
            resource = resources.computeIfAbsent(id.name(), name -> new LocalResource(this, id));
        } while (!resource.acquire(waiter, out));
    }

    /** Read under a resource's lock: after {@link #close} has visited a resource, no work begins there. */
    boolean isClosed() {
        return closed;
    }

    /** Removes a caller whose time is over or that was cancelled; no effect if it has its outcome already. */
    public void giveUp(Waiter waiter, BatonEvent.Reason reason, Outbox out) {
        LocalResource resource = waiter.resource;
        if (resource != null) {
            resource.giveUp(waiter, reason, out);
        }
    }

    /** Takes a grant that the store pushed. */
    public void onPush(Push push, Outbox out) {
        LocalResource resource = resources.get(push.name());
        if (resource != null) {
            resource.onPush(push, out);
        }
    }

    /** Asks about everything, because pushes may have been missed or the server is another one. */
    public void onReconnect() {
        askAgain();
        wakeAt(clock.nanos());
    }

    /** Makes a heartbeat due for everything, at the next tick. */
    public void askAgain() {
        resources.values().forEach(LocalResource::askAgain);
    }

    /** Makes a heartbeat due for one name, at once, because this client changed the name's hold at the store. */
    public void askAgain(String name) {
        LocalResource resource = resources.get(name);
        if (resource != null) {
            resource.askAgain();
            wakeAt(clock.nanos());
        }
    }

    /** Ends the local hold of a name as if its time were over. Only for the published test store. */
    public void expire(String name, Outbox out) {
        LocalResource resource = resources.get(name);
        if (resource != null) {
            resource.atHolding(holding -> holding.expire(out));
        }
    }

    /**
     * Checks whether the machine slept, and whether the store has fallen silent. Must be called a few times a second.
     */
    public void look(Outbox out) {
        lookAtClocks();
        outage.look(out);
    }

    /**
     * Compares the two clocks. If the wall clock has run ahead, the machine slept or the clock was set: the engine
     * confirms everything at once, because monotonic timers do not count the time in between.
     */
    private void lookAtClocks() {
        long lead = wallLead();
        if (lead - wallLeadMillis.getAndSet(lead) > SLEPT_MILLIS) {
            onReconnect();
        }
    }

    private long wallLead() {
        return clock.wallMillis() - clock.nanos() / 1_000_000;
    }

    /** Does the work that is due: renews, confirms, polls, reports losses, and resumes paused requests. */
    public void tick(Outbox out) {
        look(out);
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

    /** Fails all waiters, loses all holds, and returns the holds and attempts to end at the store. */
    public Closing close(Outbox out) {
        closed = true;
        Closing closing = new Closing();
        resources.values().forEach(resource -> resource.close(closing, out));
        strays.forEach(closing::release);
        return closing;
    }

    /** Returns the number of names with any state here, for the residue checks. */
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

    /** A ticket's secret; never 0, which stands for none. */
    long nextSecret() {
        long secret = secrets.getAsLong();
        return secret != 0 ? secret : 1;
    }

    /** Counts a push without the secret of its ticket: its sender cannot read the store. */
    void countForged(Outbox out) {
        long count = forgedPushes.incrementAndGet();
        if (count == 1 || count % FORGED_PER_WARNING == 0) {
            warn(
                    count + " pushed messages so far claimed a grant without the secret of its ticket and were ignored:"
                            + " another user of the store publishes on Baton's channels",
                    null,
                    out);
        }
    }

    /** Returns how many pushes were ignored because they did not repeat the secret of their ticket. */
    public long forgedPushes() {
        return forgedPushes.get();
    }

    CommandNumber drawnNumber() {
        return CommandNumber.of(counter.incrementAndGet());
    }

    Outage outage() {
        return outage;
    }

    /** Whether there is no sign that the store is silent, or was silent at any time since then. */
    boolean isStoreWellSince(long startNanos) {
        return outage.unansweredNanos(clock.nanos()) < TOO_SHORT_TO_KNOW_NANOS && !outage.hasEndedSince(startNanos);
    }

    /** The store's display name. */
    String storeName() {
        return settings.store().get().store();
    }

    /** Remembers the release of a lost hold until the store answers: a closing client sends it again. */
    void addStray(Release release) {
        strays.add(release);
    }

    void removeStray(Release release) {
        strays.remove(release);
    }

    /** Records an answer. If it came from another server than before, asks that server about everything. */
    Belief.Sync synced(long sentNanos, long sentWallMillis, Stamp stamp, Outbox out) {
        Belief.Sync sync = new Belief.Sync(sentNanos, sentWallMillis, stamp);
        Belief.Sync before = lastSync;
        outage.answered(out);
        boolean other = before != null && !before.stamp().runId().equals(stamp.runId());
        if (before == null || other || sentNanos - before.sentNanos() > 0) {
            lastSync = sync;
        }
        if (other) {
            onReconnect();
        }
        return sync;
    }

    /**
     * The belief that a push supports without asking the store; null if none, as when its server has not answered
     * before.
     */
    @Nullable
    Belief beliefIn(Push push) {
        Belief.Sync sync = lastSync;
        if (sync == null || !sync.stamp().runId().equals(push.runId())) {
            return null;
        }
        if (settings.hasHybridTokens() && !Protocol.isPlausible(push.token(), push.nowMicros())) {
            return null;
        }
        long serverNanos = (push.nowMicros() - sync.stamp().nowMicros()) * 1_000;
        long ourNanos = clock.nanos() - sync.sentNanos();
        if (serverNanos > ourNanos + ourNanos / 50 + CLOCK_JUMP_NANOS) {
            return null;
        }
        Belief belief = Belief.of(sync, push.deadlineMicros(), settings.trustNanos());
        return belief.holdsAt(clock.nanos(), clock.wallMillis()) ? belief : null;
    }

    Command extension(LocalResource resource, Grant grant, long atLeastNanos) {
        return single(
                resource,
                grant.hold().entry(resource.id(), atLeastNanos, true),
                new Command.Beat.Extending(grant, atLeastNanos));
    }

    /** A heartbeat that only confirms one hold, for a caller that cannot go on without the answer. */
    Command confirmation(LocalResource resource, Grant grant) {
        return single(resource, grant.hold().entry(resource.id(), 0, false), null);
    }

    private Command single(LocalResource resource, Heartbeat.Hold entry, Command.Beat.@Nullable Extending extending) {
        Heartbeat heartbeat = new Heartbeat(drawnNumber(), List.of(entry), List.of());
        return new Command.Beat(this, heartbeat, List.of(resource), List.of(), settings.silenceNanos(), extending);
    }

    BatonException closedException() {
        return Exceptions.get().closed();
    }

    void report(BatonEvent.Type type, String name, long token, long elapsedNanos, String detail, Outbox out) {
        tell(type, name, token, elapsedNanos, null, null, detail, out);
    }

    void reportGaveUp(String name, long waitedNanos, BatonEvent.Reason reason, Outbox out) {
        tell(BatonEvent.Type.GAVE_UP, name, 0, waitedNanos, reason, null, "", out);
    }

    void reportLost(Grant grant, LossCause cause, Outbox out) {
        long heldNanos = clock.nanos() - grant.grantedNanos();
        tell(BatonEvent.Type.LOST, grant.name(), grant.token(), heldNanos, null, cause, cause.name(), out);
    }

    private void tell(
            BatonEvent.Type type,
            String name,
            long token,
            long elapsedNanos,
            BatonEvent.@Nullable Reason reason,
            @Nullable LossCause cause,
            String detail,
            Outbox out) {
        BatonListener hearer = listener;
        if (hearer != null) {
            BatonEvent event = new BatonEvent(type, name, token, Duration.ofNanos(elapsedNanos), reason, cause, detail);
            out.call(Driver.Kind.EVENT, () -> hearer.onEvent(event));
        }
    }

    void reportSelfWait(Grant owner, Outbox out) {
        String message = "a thread has waited for a second for its own lease of \"" + owner.name() + "\": a lease"
                + " is not re-entrant (use reentrantLock, release first, or have another thread release it)";
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

    void info(String message, Outbox out) {
        out.call(Driver.Kind.LOG, () -> LOG.log(System.Logger.Level.INFO, message));
    }

    void warn(String message, @Nullable Throwable cause, Outbox out) {
        out.call(Driver.Kind.LOG, () -> LOG.log(System.Logger.Level.WARNING, message, cause));
    }

    private static @Nullable Throwable takenAt(Grant grant) {
        Throwable where = grant.takenAt();
        return where == null ? null : Exceptions.get().other("it was taken here", where);
    }
}
