package dev.baton.internal.client;

import dev.baton.Admin;
import dev.baton.Baton;
import dev.baton.BatonClosedException;
import dev.baton.BatonEvent;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.LockOptions;
import dev.baton.ReentrantDistributedLock;
import dev.baton.StorePing;
import dev.baton.internal.Exceptions;
import dev.baton.internal.engine.Clock;
import dev.baton.internal.engine.Closing;
import dev.baton.internal.engine.Command;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.EngineSettings;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.Outbox;
import dev.baton.internal.engine.Releasing;
import dev.baton.internal.engine.StoreExceptions;
import dev.baton.internal.engine.Waiter;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Push;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One client: its engine, threads and store, and the ways to wait. */
public final class BatonClient implements Baton {
    private static final System.Logger LOG = System.getLogger("dev.baton");

    /** 250 ms: how late a client may notice that its machine has slept, or that its store is silent. */
    private static final long LOOK_NANOS = 250_000_000;

    /**
     * 1 s, or a fifth of the command's time limit if that is longer: how long an interruptible caller waits for an
     * answer on its own thread, without reacting to interrupts. After that another thread asks for it.
     */
    private static final long HEAR_INTERRUPT_NANOS = 1_000_000_000;

    /** For callers without a deadline. */
    static final long FOREVER = Long.MAX_VALUE;

    private final String clientId;
    private final BatonOptions options;
    private final ClientThreads threads;
    private final Clock clock;
    private final Engine engine;
    private final Store store;
    private final Description description;
    private final AbandonmentWatch abandonment = new AbandonmentWatch();
    private final ThreadOwners owners;
    private final ToldWarnings.OfClient warnings = ToldWarnings.ofClient();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final @Nullable Thread shutdownHook;

    /** Opens a store with a listener. */
    @FunctionalInterface
    public interface StoreOpener {
        /** Connects. */
        Store open(StoreListener listener) throws StoreFailure;
    }

    /**
     * Creates a connected client.
     *
     * @param clientId its identity
     * @param options its options
     * @param timings the namespace's times
     * @param clock its clocks
     * @param opener connects it
     */
    public BatonClient(String clientId, BatonOptions options, Timings timings, Clock clock, StoreOpener opener)
            throws StoreFailure {
        this(clientId, options, timings, clock, opener, Thread::new);
    }

    /**
     * Creates a connected client whose threads come from a factory; the client names them and makes them daemons.
     *
     * @param clientId its identity
     * @param options its options
     * @param timings the namespace's times
     * @param clock its clocks
     * @param opener connects it
     * @param factory makes threads, which may fail to start
     */
    public BatonClient(
            String clientId,
            BatonOptions options,
            Timings timings,
            Clock clock,
            StoreOpener opener,
            ThreadFactory factory)
            throws StoreFailure {
        this.clientId = clientId;
        this.options = options;
        this.clock = clock;
        this.owners = new ThreadOwners(clock);
        this.description = new Description(options.applicationName());
        this.threads = new ClientThreads(
                clientId,
                clock,
                options.callbackExecutor().orElse(null),
                options.listener().orElse(null),
                factory);
        Pushes pushes = new Pushes();
        this.store = openOrStop(opener, pushes);
        this.engine = new Engine(
                new EngineSettings(
                        clientId,
                        timings,
                        () -> store.capabilities(),
                        options.storeTimeout().toNanos(),
                        options.commandTimeout().toNanos(),
                        options.maxLocalWaiters()),
                clock,
                threads,
                () -> ThreadLocalRandom.current().nextDouble(),
                new Secrets(),
                options.listener().orElse(null));
        threads.start(engine, store, this::reportAbandoned);
        threads.every(LOOK_NANOS, this::look);
        pushes.engine = engine;
        this.shutdownHook = options.closeOnShutdown() ? new Thread(this::close, "baton-shutdown") : null;
        if (shutdownHook != null) {
            Runtime.getRuntime().addShutdownHook(shutdownHook);
        }
    }

    private Store openOrStop(StoreOpener opener, StoreListener listener) throws StoreFailure {
        Store opened = null;
        try {
            threads.startKept();
            opened = opener.open(listener);
            Checks.requireLease(options.leaseTime(), opened.capabilities());
            heedWarnings(opened);
            return opened;
        } catch (StoreFailure | RuntimeException | Error refused) {
            threads.close();
            warnings.close();
            if (opened != null) {
                opened.close();
            }
            throw refused;
        }
    }

    private void heedWarnings(Store opened) throws StoreFailure {
        for (String warning : opened.warnings()) {
            if (options.strict()) {
                throw new StoreFailure(
                        StoreFailure.Effect.NONE,
                        StoreFailure.Reason.UNFIT,
                        "refused, because strict is set: " + warning,
                        null);
            }
            if (warnings.isNew(warning)) {
                LOG.log(System.Logger.Level.WARNING, warning);
            }
        }
    }

    /** Hands the store's pushes to the engine. Earlier pushes are lost; heartbeats find their grants. */
    private final class Pushes implements StoreListener {
        private volatile @Nullable Engine engine;

        @Override
        public void onPush(Push push) {
            Engine current = engine;
            if (current != null) {
                Outbox out = new Outbox();
                current.onPush(push, out);
                out.flush(threads);
            }
        }

        @Override
        public void onReconnect() {
            Engine current = engine;
            if (current != null) {
                current.onReconnect();
            }
        }
    }

    private void look() {
        Outbox out = new Outbox();
        engine.look(out);
        out.flush(threads);
    }

    private void reportAbandoned() {
        Outbox out = new Outbox();
        abandonment.report(out);
        owners.abandonThoseOfDeadThreads(out);
        owners.forgetEnded();
        out.flush(threads);
    }

    // ---- what locks are made of ----------------------------------------------------------------------------------

    @Override
    public DistributedLock lock(String name, LockOptions lockOptions) {
        return leaseLock(name, lockOptions);
    }

    LeaseLock leaseLock(String name, LockOptions lockOptions) {
        return new LeaseLock(
                this,
                Checks.lock(name),
                lockOptions,
                Checks.request(lockOptions, options.leaseTime(), store.capabilities()));
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name, LockOptions lockOptions) {
        return new ThreadLock(this, owners, leaseLock(name, lockOptions), lockOptions);
    }

    @Override
    public Admin admin() {
        return new StoreAdmin(this);
    }

    @Override
    public StorePing ping() {
        long start = clock.nanos();
        Stamp stamp = ask("the store did not answer a ping", Store::ping);
        return new StorePing(
                Duration.ofNanos(clock.nanos() - start), store.capabilities().store(), stamp.runId());
    }

    @Override
    public Duration shortestLease() {
        return store.capabilities().shortestLease();
    }

    @Override
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public String clientId() {
        return clientId;
    }

    Description description() {
        return description;
    }

    ClientThreads threads() {
        return threads;
    }

    Store store() {
        return store;
    }

    Clock clock() {
        return clock;
    }

    Capabilities capabilities() {
        return store.capabilities();
    }

    /** Returns the caller's stack, for the reports that need it; null if not traced. */
    @Nullable
    Throwable trace() {
        return options.traceAcquisitions() ? new Trace(Thread.currentThread().getName()) : null;
    }

    LeaseHandle handle(Grant grant) {
        return abandonment.watch(new LeaseHandle(grant, this));
    }

    long storeTimeoutNanos() {
        return options.storeTimeout().toNanos();
    }

    // ---- waiting -------------------------------------------------------------------------------------------------

    /**
     * Waits on this thread, which performs the first command itself.
     *
     * @param waitNanos the longest wait; {@link #FOREVER} to let the engine decide
     * @param interruptible whether an interrupt ends the wait; otherwise the flag is kept
     */
    Waiter.Outcome await(Resource id, Waiter waiter, long waitNanos, boolean interruptible)
            throws InterruptedException {
        if (interruptible && Thread.interrupted()) {
            throw new InterruptedException();
        }
        long start = clock.nanos();
        Outbox out = new Outbox();
        engine.acquire(id, waiter, out);
        Command own = out.flushButFirst(threads);
        if (own != null) {
            long time = own.timeoutNanos();
            long heard = interruptible ? Math.max(HEAR_INTERRUPT_NANOS, time / 5) : time;
            threads.perform(own, Math.min(Math.min(time, heard), waitNanos));
        }
        boolean interrupted = park(waiter, start, waitNanos, interruptible);
        Waiter.Outcome outcome = waiter.outcome();
        if (outcome == null) {
            boolean cancelled = interrupted && interruptible;
            outcome = giveUp(waiter, cancelled ? BatonEvent.Reason.CANCELLED : BatonEvent.Reason.TIMED_OUT);
        }
        if (interrupted) {
            if (interruptible && !(outcome instanceof Waiter.Got)) {
                throw new InterruptedException();
            }
            Thread.currentThread().interrupt();
        }
        return outcome;
    }

    /** Parks until there is an outcome, the time is over or an interrupt ends the wait; true if interrupted. */
    private boolean park(Waiter waiter, long start, long waitNanos, boolean interruptible) {
        boolean interrupted = false;
        while (waiter.outcome() == null) {
            interrupted |= Thread.interrupted();
            if (interrupted && interruptible) {
                return true;
            }
            if (waitNanos == FOREVER) {
                LockSupport.park(waiter);
                continue;
            }
            long left = waitNanos - (clock.nanos() - start);
            if (left <= 0) {
                return interrupted;
            }
            LockSupport.parkNanos(waiter, threads.realNanos(left));
        }
        return interrupted;
    }

    /**
     * Returns whether a grant is held now that its caller gets it: the thread may be late, and the machine may have
     * slept. If only the wall clock says that it is over, asks the store.
     */
    boolean stands(Grant grant) {
        return grant.isHeld() || isConfirmed(grant);
    }

    /** Asks the store, on this thread, about a grant whose two clocks disagree. */
    boolean isConfirmed(Grant grant) {
        if (!grant.isUncertain()) {
            return false;
        }
        Command question = grant.confirmation();
        StoreFailure unanswered = threads.perform(question, question.timeoutNanos());
        return unanswered == null && grant.isHeld();
    }

    /** Releases at the store, on this thread, a grant that is over, because its caller asks again. */
    void discard(Grant grant) {
        Outbox out = new Outbox();
        grant.release(new Releasing(null), out);
        Command own = out.flushButFirst(threads);
        if (own != null) {
            StoreFailure unusedFailure = threads.perform(own, own.timeoutNanos());
        }
    }

    private Waiter.Outcome giveUp(Waiter waiter, BatonEvent.Reason reason) {
        withdraw(waiter, reason);
        Waiter.Outcome outcome = waiter.outcome();
        if (outcome == null) {
            throw new IllegalStateException("a caller that gave up has no outcome");
        }
        return outcome;
    }

    void withdraw(Waiter waiter, BatonEvent.Reason reason) {
        Outbox out = new Outbox();
        engine.giveUp(waiter, reason, out);
        out.flush(threads);
    }

    /** Waits without a thread. */
    <T> WaitingCallers.Pending<T> submit(Resource id, WaitingCallers.Pending<T> pending, long waitNanos) {
        Outbox out = new Outbox();
        pending.submitted(new WaitingCallers.Pending.Submitted(id, clock.nanos(), waitNanos));
        engine.acquire(id, pending, out);
        out.flush(threads);
        if (waitNanos != FOREVER && pending.outcome() == null) {
            pending.timeoutBy(threads.schedule(() -> withdraw(pending, BatonEvent.Reason.TIMED_OUT), waitNanos));
        }
        return pending;
    }

    /** Asks again, within the rest of the time, for a future whose grant was over before it was delivered. */
    <T> void submitAnew(WaitingCallers.Pending<T> pending) {
        WaitingCallers.Pending.Submitted request = pending.submitted();
        boolean forever = request.waitNanos() == FOREVER;
        long left = forever ? FOREVER : request.waitNanos() - (clock.nanos() - request.startNanos());
        if (left <= 0) {
            pending.refused(new Waiter.Busy());
            return;
        }
        try {
            WaitingCallers.Pending<T> unused = submit(request.id(), pending.anew(), left);
        } catch (BatonClosedException closed) {
            pending.refused(new Waiter.Failed(closed));
        }
    }

    /** Does the due work at once, on this thread, for a clock that is moved by hand. */
    public void clockMoved() {
        threads.tickHere();
    }

    /** Ends this client's hold of a name as if its time were over. Only for the published test store. */
    public void expire(String name) {
        Outbox out = new Outbox();
        engine.expire(name, out);
        out.flush(threads);
    }

    /** Called after this client has changed the hold of a name at the store: tells the holder here at once. */
    void changedAtStore(String name) {
        engine.askAgain(name);
    }

    /** Asks the store at once, on this thread, about all holds and waiters. */
    public void askAgain() {
        engine.askAgain();
        threads.tickHere();
    }

    // ---- questions and the end -----------------------------------------------------------------------------------

    /** A question to the store that changes nothing here. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Store store, long timeoutNanos) throws StoreFailure;
    }

    <T> T ask(String about, Question<T> question) {
        if (closed.get()) {
            throw Exceptions.get().closed();
        }
        try {
            return question.ask(store, options.commandTimeout().toNanos());
        } catch (StoreFailure failure) {
            throw StoreExceptions.of(about + ": " + failure.getMessage(), failure);
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Outbox out = new Outbox();
        Closing closing = engine.close(out);
        out.flush(threads);
        String left = new LastCommands(store, closing, options.commandTimeout().toNanos()).run(storeTimeoutNanos());
        if (!left.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, left);
        }
        threads.close();
        store.close();
        warnings.close();
        removeShutdownHook();
    }

    private void removeShutdownHook() {
        if (shutdownHook != null && Thread.currentThread() != shutdownHook) {
            try {
                Runtime.getRuntime().removeShutdownHook(shutdownHook);
            } catch (IllegalStateException shuttingDown) {
                // The hook runs already and will find this client closed.
            }
        }
    }

    @Override
    public String toString() {
        return "Baton[" + options.namespace() + " on " + store.capabilities().store() + ", client " + clientId + ']';
    }
}
