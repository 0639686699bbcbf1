package dev.baton.internal.engine;

import dev.baton.BatonException;
import dev.baton.internal.Exceptions;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all resources of a client share: settings, clocks, numbers, reports, and what is known of the store. It sends
 * nothing and knows no resource. Thread-safe.
 */
final class Surroundings {
    /**
     * If a server's clock has run ahead of ours by more than this since its last answer, the engine asks before it
     * believes a push.
     */
    private static final long CLOCK_JUMP_NANOS = 20_000_000;

    private static final long FORGED_PER_WARNING = 100_000;

    private final EngineSettings settings;
    private final Clock clock;
    private final DoubleSupplier random;
    private final LongSupplier secrets;
    private final Reports reports;
    private final Outage outage;
    private final GracePeriods gracePeriods;
    private final Strays strays = new Strays();
    private final KeptNotes keptNotes;
    private final AtomicLong counter = new AtomicLong();
    private final AtomicLong forgedPushes = new AtomicLong();

    private final Map<Integer, ShardAnswers> answers = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Surroundings(EngineSettings settings, Clock clock, DoubleSupplier random, LongSupplier secrets, Reports reports) {
        this.settings = settings;
        this.clock = clock;
        this.random = random;
        this.secrets = secrets;
        this.reports = reports;
        this.outage = new Outage(settings, reports);
        this.gracePeriods = new GracePeriods(settings, reports);
        this.keptNotes = new KeptNotes(settings);
    }

    EngineSettings settings() {
        return settings;
    }

    Clock clock() {
        return clock;
    }

    DoubleSupplier random() {
        return random;
    }

    Reports reports() {
        return reports;
    }

    Outage outage() {
        return outage;
    }

    GracePeriods gracePeriods() {
        return gracePeriods;
    }

    Strays strays() {
        return strays;
    }

    KeptNotes keptNotes() {
        return keptNotes;
    }

    // ---- the client ----------------------------------------------------------------------------------------------

    void close() {
        closed = true;
    }

    /** Read under a resource's lock: after the engine has closed a resource, no work begins there. */
    boolean isClosed() {
        return closed;
    }

    BatonException closedException() {
        return Exceptions.get().closed();
    }

    /** Whether both clocks say that a hold is held. */
    boolean isBelieved(Hold hold, long now) {
        return hold.belief.holdsAt(now, clock.wallMillis());
    }

    // ---- numbers and commands ------------------------------------------------------------------------------------

    CommandNumber nextNumber() {
        return new CommandNumber(counter::incrementAndGet);
    }

    CommandNumber drawnNumber() {
        return CommandNumber.of(counter.incrementAndGet());
    }

    /** A ticket's secret; never 0, which stands for none. */
    long nextSecret() {
        long secret = secrets.getAsLong();
        return secret != 0 ? secret : 1;
    }

    Release release(Resource resource, Hold hold, boolean failed, long now) {
        long keepMicros = failed ? 0 : (hold.keepNanos(now) + 999) / 1_000;
        return new Release(resource, hold.attempt, hold.storeToken, nextNumber(), failed, keepMicros);
    }

    Command.Free free(Resource resource, Hold hold, boolean failed, @Nullable Releasing releasing, long now) {
        return new Command.Free(release(resource, hold, failed, now), releasing, settings.silenceNanos());
    }

    Cancel cancel(Resource resource, long attempt) {
        return new Cancel(resource, attempt, nextNumber());
    }

    Command.Undo undo(Resource resource, long attempt) {
        return new Command.Undo(cancel(resource, attempt), settings.silenceNanos());
    }

    /** Releases a hold in which this client no longer believes. */
    void sendStray(Resource resource, Hold hold, Outbox out) {
        strays.send(stray(new Release(resource, hold.attempt, hold.storeToken, nextNumber())), out);
    }

    /**
     * Releases a hold that this client does not have, but that its heartbeat has renewed or put back: the heartbeat
     * arrived after the release of a store that has forgotten the release, or was answered after the loss. Without
     * this, the name would be blocked until the lease ends. It may be the hold of a holder that failed, so a lock-delay
     * begins.
     */
    void sendStray(Heartbeat.Hold named, Outbox out) {
        if (!closed && !strays.areEnding(named.attempt())) {
            Release release = new Release(named.resource(), named.attempt(), named.token(), nextNumber(), true, 0);
            strays.send(stray(release), out);
        }
    }

    private Command.Free stray(Release release) {
        return new Command.Free(release, null, settings.silenceNanos());
    }

    // ---- what is known of the store ------------------------------------------------------------------------------

    /** What is known of a shard. */
    ShardAnswers answersOf(int shard) {
        ShardAnswers known = answers.get(shard);
        // Every answer comes by here: the map's lock is only for a new shard.
        return known != null ? known : answers.computeIfAbsent(shard, unknown -> new ShardAnswers());
    }

    /**
     * Whether there is no sign that the store is silent, or was silent while a caller waited. A caller that waits for long
     * enough to get an answer takes any longer silence for a sign. For a shorter wait the store may just be late with its
     * answer to another command.
     */
    boolean isStoreWellFor(Waiter waiter, long now) {
        long silence = waiter.isBrief() ? Outage.DOUBT_NANOS : Command.TOO_SHORT_TO_KNOW_NANOS;
        return outage.unansweredNanos(now) < silence && !outage.hasEndedSince(waiter.startNanos);
    }

    /**
     * The belief that a push supports without asking the store; null if none, as when its server has not answered
     * before.
     */
    @Nullable
    Belief beliefIn(Push push, long now) {
        Belief.Sync sync = answersOf(settings.shardOf(push.name())).last();
        if (sync == null || !sync.stamp().runId().equals(push.runId())) {
            return null;
        }
        if (settings.hasHybridTokens() && !Protocol.isPlausible(push.token(), push.nowMicros())) {
            return null;
        }
        long serverNanos = (push.nowMicros() - sync.stamp().nowMicros()) * 1_000;
        long ourNanos = now - sync.sentNanos();
        if (serverNanos > ourNanos + ourNanos / 50 + CLOCK_JUMP_NANOS) {
            return null;
        }
        Belief belief = Belief.of(sync, push.deadlineMicros(), settings.trustNanos());
        return belief.holdsAt(now, clock.wallMillis()) ? belief : null;
    }

    /** Counts a push without the secret of its ticket: its sender cannot read the store. */
    void countForged(Outbox out) {
        long count = forgedPushes.incrementAndGet();
        if (count == 1 || count % FORGED_PER_WARNING == 0) {
            reports.warn(
                    count + " pushed messages so far claimed a grant without the secret of its ticket and were ignored:"
                            + " another user of the store publishes on Baton's channels",
                    null,
                    out);
        }
    }

    long forgedPushes() {
        return forgedPushes.get();
    }
}
