package dev.baton.tck;

import dev.baton.internal.client.BatonClient;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Grace;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.WriteNote;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A store behind a bad network: it counts calls, and loses, delays, refuses or swallows them as a script says.
 * Thread-safe; the script may be changed while calls are in progress.
 */
public final class FaultyStore implements Store {
    /** The kinds of calls. */
    public enum Call {
        /** {@link Store#acquire}. */
        ACQUIRE,
        /** {@link Store#heartbeat}. */
        HEARTBEAT,
        /** {@link Store#release}; {@link Store#releaseAll} counts as one. */
        RELEASE,
        /** {@link Store#cancel}. */
        CANCEL,
        /** {@link Store#note} and {@link Store#writeNote}. */
        NOTE,
        /**
         * {@link Store#inspect}, {@link Store#list}, {@link Store#facts}, {@link Store#grace}, {@link
         * Store#forceRelease}, {@link Store#restoreNote} and {@link Store#forgetNote}.
         */
        ADMIN
    }

    /** The fate of a call. */
    public enum Fault {
        /** The call passes. */
        NONE,
        /** The call never reaches the store, and the client cannot know. */
        DROP_REQUEST,
        /** The store processes the call, and the client does not get the answer. */
        DROP_REPLY,
        /** The store processes the call, and the client gets the answer after {@link FaultyStore#lateness}. */
        LATE_REPLY,
        /** The call is refused, and the client knows that nothing happened. */
        REFUSE,
        /** The call takes all its time without an answer and never reaches the store; the client cannot know. */
        SILENCE
    }

    /** Decides the fate of calls. */
    @FunctionalInterface
    public interface Script {
        /**
         * Decides about one call.
         *
         * @param call its kind
         * @param number how many calls of this kind came before it
         * @return its fate
         */
        Fault next(Call call, long number);
    }

    /** All calls pass. */
    public static final Script HEALTHY = (call, number) -> Fault.NONE;

    private final Map<Call, AtomicLong> counts = new ConcurrentHashMap<>();
    private volatile Script script = HEALTHY;
    private volatile Duration delay = Duration.ZERO;
    private volatile Duration lateness = Duration.ZERO;
    private volatile boolean losesPushes;
    private volatile @Nullable Store store;

    /** Makes a store that {@link #over} will connect. */
    public FaultyStore() {}

    /**
     * Puts this in front of a store.
     *
     * @param opener connects the store
     * @return connects the store through this one
     */
    public BatonClient.StoreOpener over(BatonClient.StoreOpener opener) {
        return listener -> {
            store = opener.open(new LossyListener(listener));
            return this;
        };
    }

    /** Returns a script that loses each request and each reply with the same probability, drawn from a seed. */
    public static Script lossy(double probability, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return (call, number) -> {
            double chance;
            synchronized (random) {
                chance = random.nextDouble();
            }
            if (chance < probability) {
                return Fault.DROP_REQUEST;
            }
            return chance < 2 * probability ? Fault.DROP_REPLY : Fault.NONE;
        };
    }

    /** Returns a script that gives every call the same fate. */
    public static Script always(Fault fault) {
        return (call, number) -> fault;
    }

    /** Replaces the script. */
    public void script(Script next) {
        script = next;
    }

    /** Delays every call before it is sent. */
    public void delay(Duration time) {
        delay = time;
    }

    /** Sets by how much the answers of calls with {@link Fault#LATE_REPLY} come too late. */
    public void lateness(Duration time) {
        lateness = time;
    }

    /** Makes this lose all pushes, or none. */
    public void losePushes(boolean lose) {
        losesPushes = lose;
    }

    /** Returns how many calls of a kind there were. */
    public long count(Call call) {
        return counter(call).get();
    }

    private AtomicLong counter(Call call) {
        return counts.computeIfAbsent(call, each -> new AtomicLong());
    }

    /** Returns how many calls there were. */
    public long count() {
        long sum = 0;
        for (Call call : Call.values()) {
            sum += count(call);
        }
        return sum;
    }

    /** One call that may fail. */
    private interface Step<T> {
        T run(Store store) throws StoreFailure;
    }

    private <T> T pass(Call call, long timeoutNanos, Step<T> step) throws StoreFailure {
        Fault fault = script.next(call, counter(call).getAndIncrement());
        idle(delay.toNanos());
        switch (fault) {
            case REFUSE -> throw failure(StoreFailure.Effect.NONE, "refused");
            case DROP_REQUEST -> throw failure(StoreFailure.Effect.UNKNOWN, "request lost");
            case SILENCE -> {
                idle(timeoutNanos);
                throw failure(StoreFailure.Effect.UNKNOWN, "no answer");
            }
            case DROP_REPLY -> {
                step.run(open());
                throw failure(StoreFailure.Effect.UNKNOWN, "reply lost");
            }
            case LATE_REPLY -> {
                T reply = step.run(open());
                idle(lateness.toNanos());
                return reply;
            }
            default -> {
                return step.run(open());
            }
        }
    }

    private Store open() {
        return Objects.requireNonNull(store, "not connected");
    }

    private static StoreFailure failure(StoreFailure.Effect effect, String what) {
        return new StoreFailure(effect, "by the script of a test: " + what, null);
    }

    /** Lets time pass as a blocked socket does: it ignores interrupts, but keeps the flag. */
    private static void idle(long nanos) {
        long end = System.nanoTime() + nanos;
        boolean interrupted = false;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class LossyListener implements StoreListener {
        private final StoreListener listener;

        LossyListener(StoreListener listener) {
            this.listener = listener;
        }

        @Override
        public void onPush(Push push) {
            if (!losesPushes) {
                listener.onPush(push);
            }
        }

        @Override
        public void onReconnect() {
            listener.onReconnect();
        }
    }

    @Override
    public Capabilities capabilities() {
        return open().capabilities();
    }

    @Override
    public String namespaceId() {
        return open().namespaceId();
    }

    @Override
    public List<String> warnings() {
        return open().warnings();
    }

    @Override
    public int shardOf(String name) {
        return open().shardOf(name);
    }

    @Override
    public Map<String, String> facts(long timeoutNanos) throws StoreFailure {
        return pass(Call.ADMIN, timeoutNanos, open -> open.facts(timeoutNanos));
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        return pass(Call.ACQUIRE, timeoutNanos, open -> open.acquire(command, timeoutNanos));
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        return pass(Call.HEARTBEAT, timeoutNanos, open -> open.heartbeat(command, timeoutNanos));
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        return pass(Call.RELEASE, timeoutNanos, open -> open.release(command, timeoutNanos));
    }

    @Override
    public List<Release.Reply> releaseAll(List<Release> commands, long timeoutNanos) throws StoreFailure {
        return pass(Call.RELEASE, timeoutNanos, open -> open.releaseAll(commands, timeoutNanos));
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        return pass(Call.CANCEL, timeoutNanos, open -> open.cancel(command, timeoutNanos));
    }

    @Override
    public Optional<Grace> grace(long timeoutNanos) throws StoreFailure {
        return pass(Call.ADMIN, timeoutNanos, open -> open.grace(timeoutNanos));
    }

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        return pass(Call.ADMIN, timeoutNanos, open -> open.inspect(name, timeoutNanos));
    }

    @Override
    public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure {
        return pass(Call.ADMIN, timeoutNanos, open -> open.list(prefix, after, limit, timeoutNanos));
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        return pass(Call.ADMIN, timeoutNanos, open -> open.forceRelease(name, token, now, timeoutNanos));
    }

    @Override
    public Resource withhold(Resource semaphore, int weight, long timeoutNanos) throws StoreFailure {
        return pass(Call.ADMIN, timeoutNanos, open -> open.withhold(semaphore, weight, timeoutNanos));
    }

    @Override
    public NoteView note(String name, long timeoutNanos) throws StoreFailure {
        return pass(Call.NOTE, timeoutNanos, open -> open.note(name, timeoutNanos));
    }

    @Override
    public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
        return pass(Call.NOTE, timeoutNanos, open -> open.writeNote(command, timeoutNanos));
    }

    @Override
    public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) throws StoreFailure {
        return pass(Call.ADMIN, timeoutNanos, open -> open.restoreNote(name, note, timeoutNanos));
    }

    @Override
    public WriteNote.Reply forgetNote(String name, long timeoutNanos) throws StoreFailure {
        return pass(Call.ADMIN, timeoutNanos, open -> open.forgetNote(name, timeoutNanos));
    }

    @Override
    public void close() {
        open().close();
    }
}
