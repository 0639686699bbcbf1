package dev.baton.internal.client;

import dev.baton.Admin;
import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.DistributedSemaphore;
import dev.baton.Election;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.LockOptions;
import dev.baton.ReentrantDistributedLock;
import dev.baton.StorePing;
import dev.baton.StoreReport;
import dev.baton.internal.engine.Clock;
import dev.baton.internal.engine.Closing;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.EngineSettings;
import dev.baton.internal.engine.Outbox;
import dev.baton.internal.work.Host;
import dev.baton.spi.Push;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One client: its engine, threads and store, and what is made of them. */
public final class BatonClient implements Baton {
    private static final System.Logger LOG = System.getLogger("dev.baton");

    /** 250 ms: how late a client may notice that its machine has slept, or that its store is silent. */
    private static final long LOOK_NANOS = 250_000_000;

    private final String clientId;
    private final BatonOptions options;
    private final ClientThreads threads;
    private final Clock clock;
    private final Engine engine;
    private final Store store;
    private final Waits waits;
    private final Questions questions;
    private final StoreAdmin admin;
    private final Duties duties;
    private final LeaseLocks locks;
    private final AbandonmentWatch abandonment = new AbandonmentWatch();
    private final ThreadOwners owners;
    private final ToldWarnings.OfClient warnings = ToldWarnings.ofClient();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Whoever rests need not rest any longer. */
    private final CountDownLatch end = new CountDownLatch(1);

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
                        name -> store.shardOf(name),
                        options.storeTimeout().toNanos(),
                        options.commandTimeout().toNanos(),
                        options.maxLocalWaiters()),
                clock,
                () -> ThreadLocalRandom.current().nextDouble(),
                new Secrets(),
                options.listener().orElse(null));
        this.questions = new Questions(store, options.commandTimeout().toNanos(), closed::get);
        Pause pause = nanos -> {
            boolean unused = end.await(nanos, TimeUnit.NANOSECONDS);
        };
        Notes notes = notes(pause);
        this.waits = new Waits(engine, threads, clock, options, store::namespaceId, notes);
        this.admin = new StoreAdmin(questions, notes, this::askAgain, this::examine, store::capabilities, pause);
        this.duties = new Duties(host(notes));
        this.locks = new LeaseLocks(waits, abandonment, admin, options, store::capabilities);
        threads.start(engine, store, this::reportAbandoned);
        threads.every(LOOK_NANOS, this::look);
        pushes.engine = engine;
        this.shutdownHook = options.closeOnShutdown() ? new Thread(this::close, "baton-shutdown") : null;
        if (shutdownHook != null) {
            Runtime.getRuntime().addShutdownHook(shutdownHook);
        }
    }

    private Notes notes(Pause pause) {
        long patience = options.storeTimeout().toNanos();
        return new Notes(engine, threads, questions, store::capabilities, clock, patience, pause);
    }

    private Host host(Notes notes) {
        String process = waits.description().ofProcess();
        int number = clientId.hashCode();
        return new ClientHost(this::lock, notes, engine, threads, clock, process, number, options.leaseTime(), end);
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
                Outbox out = new Outbox();
                current.askAgain(out);
                out.flush(threads);
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
        abandonment.report(engine, out);
        owners.abandonThoseOfDeadThreads(engine, out);
        owners.forgetEnded();
        out.flush(threads);
    }

    // ---- what locks are made of ----------------------------------------------------------------------------------

    @Override
    public DistributedLock lock(String name, LockOptions lockOptions) {
        return leaseLock(name, lockOptions);
    }

    private LeaseLock leaseLock(String name, LockOptions lockOptions) {
        return new LeaseLock(locks, Share.lock(Checks.name(name)), lockOptions);
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name, LockOptions lockOptions) {
        return new ThreadLock(owners, leaseLock(name, lockOptions), null);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name, LockOptions lockOptions) {
        Resource id = Resource.readWrite(Checks.name(name));
        Checks.requireShares(store.capabilities(), "read-write locks");
        return new ReadWriteLeases(locks, owners, id, lockOptions);
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits, LockOptions lockOptions) {
        Resource id = Resource.semaphore(Checks.name(name), Checks.capacity(permits));
        Checks.requireShares(store.capabilities(), "semaphores");
        return new LeaseSemaphore(locks, id, lockOptions);
    }

    @Override
    public DistributedLock allOf(String... names) {
        return GroupLock.of(Stream.of(names).map(this::lock).toList());
    }

    @Override
    public Job job(String name, JobOptions jobOptions) {
        return duties.job(name, jobOptions);
    }

    @Override
    public Election election(String name) {
        return duties.election(name);
    }

    @Override
    public Admin admin() {
        return admin;
    }

    private StoreReport examine() {
        LeaseLock lock = leaseLock(Examination.RESERVED + clientId, LockOptions.defaults());
        return new Examination(questions, store, clock, lock).report();
    }

    @Override
    public StorePing ping() {
        long start = clock.nanos();
        Stamp stamp = questions.ask("the store did not answer a ping", Store::ping);
        return new StorePing(
                Duration.ofNanos(clock.nanos() - start), store.capabilities().store(), stamp.runId());
    }

    @Override
    public Duration shortestLease() {
        return store.capabilities().shortestLease();
    }

    @Override
    public int heldLeases() {
        return engine.heldLeases();
    }

    @Override
    public int waitingCallers() {
        return engine.waitingCallers();
    }

    @Override
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public String clientId() {
        return clientId;
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

    /** Asks the store at once, on this thread, about all holds and waiters. */
    public void askAgain() {
        Outbox out = new Outbox();
        engine.askAgain(out);
        out.flush(threads);
        threads.tickHere();
    }

    private void askAgain(String name) {
        Outbox out = new Outbox();
        engine.askAgain(name, out);
        out.flush(threads);
    }

    // ---- the end -------------------------------------------------------------------------------------------------

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // Before the end, so that interrupted runs can be recorded.
        duties.close(options.commandTimeout());
        end.countDown();
        Outbox out = new Outbox();
        Closing closing = engine.close(out);
        out.flush(threads);
        String left = new LastCommands(store, closing, options.commandTimeout().toNanos())
                .run(options.storeTimeout().toNanos());
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
