package dev.baton.etcd;

import dev.baton.internal.store.HostClock;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The present lease of a client, and its key, which contains the lease's number and ends with the lease.
 *
 * <p>A transaction that compares this key proves that the lease was there, but does not renew it. A keep-alive renews
 * it, but proves nothing: a deposed leader that does not know it yet answers it too. So an answer is believed if a
 * keep-alive also kept the lease alive, which was sent no earlier than a third of the lease's time before the command,
 * and was answered in the same term or a later one. If it is the same term, its leader was still in office after the
 * command was called, because the transaction was answered in that term. If it is a later term, its leader came into
 * office after that, and a new leader gives all leases their whole time again. Either way the lease lives for two
 * thirds of its time from the call on.
 *
 * <p>Thread-safe.
 */
final class EtcdSession implements AutoCloseable {
    private static final long MICROS = 1_000_000;
    private static final long CLOSING_MILLIS = 1_000;
    /** Two may be lost, and the third is in time for the next command. */
    private static final int KEEP_ALIVES = 6;

    /** Receives the events of sessions. */
    interface Events {
        /** A session is over. */
        void ended(String session);

        /** There was no answer for a while, and now there is. */
        void reconnected();
    }

    /**
     * A lease.
     *
     * @param number its number
     * @param id the same as text
     * @param start the revision in which the client's key was written
     * @param ttlMicros how long it lives
     */
    record Lease(long number, String id, long start, long ttlMicros) {
        long trustMicros() {
            return ttlMicros / 3 * 2;
        }
    }

    /**
     * The answer of a transaction that compared the client's key.
     *
     * @param value the requested value
     * @param alive whether the key was there, and of this lease
     * @param term the term it was answered in
     */
    record Answered<T>(T value, boolean alive, long term) {}

    /** A transaction to be sent. */
    interface Sending<T> {
        CompletableFuture<Answered<T>> with(Lease lease);
    }

    private record Renewal(Lease lease, long sentMicros, long term) {}

    /** An answer that waits for a keep-alive. */
    private record Waiting(Lease lease, long calledMicros, long term, CompletableFuture<Boolean> proven) {
        boolean isProvenBy(@Nullable Renewal renewal) {
            return renewal != null
                    && renewal.lease.equals(lease)
                    && renewal.sentMicros >= calledMicros - lease.ttlMicros / 3
                    && renewal.term >= term;
        }

        boolean isOld(long now) {
            return now - calledMicros > lease.ttlMicros;
        }
    }

    private final Commands commands;
    private final boolean ownsClient;
    private final ByteSequence key;
    private final long ttlSeconds;
    private final ScheduledExecutorService timer;
    private final AtomicBoolean beginning = new AtomicBoolean();
    private final List<Waiting> waiting = new ArrayList<>();
    private volatile @Nullable Events events;
    private volatile @Nullable Lease lease;
    private volatile boolean closed;
    private @Nullable Renewal renewal;
    private long epoch;
    private long askedMicros;
    private int asked;
    private boolean away;

    EtcdSession(Commands commands, boolean ownsClient, String key, long ttlSeconds, String clientId) {
        this.commands = commands;
        this.ownsClient = ownsClient;
        this.key = Keys.bytes(key);
        this.ttlSeconds = ttlSeconds;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "baton-" + clientId.substring(0, 6) + "-lease");
            thread.setDaemon(true);
            return thread;
        });
    }

    String target() {
        return commands.target();
    }

    void tell(Events hearer) {
        events = hearer;
    }

    /** Requests the first lease. */
    void open(Deadline deadline) throws StoreFailure {
        boolean begun = false;
        while (!begun) {
            begun = beginBefore(deadline);
        }
        long period = ttlMicros() / KEEP_ALIVES;
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(this::tick, period, period, TimeUnit.MICROSECONDS);
    }

    /**
     * Returns false if no answer came within the time of one call, and the caller has more: its member may be silent, and
     * in a new JVM the time of the first call covers the loading of its classes.
     */
    private boolean beginBefore(Deadline deadline) throws StoreFailure {
        try {
            begin().get(Math.max(0, deadline.leftNanos()), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException failed) {
            if (Failures.isSilence(failed) && deadline.leftNanos() > 0) {
                return false;
            }
            throw Failures.opening(failed, target());
        } catch (TimeoutException silent) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.UNREACHABLE,
                    "no answer from etcd at " + target()
                            + " in time: check that it runs, that a majority of its members does, and that it can be"
                            + " reached from here",
                    silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreFailure(
                    StoreFailure.Effect.NONE, "interrupted while connecting to etcd at " + target(), interrupted);
        }
    }

    /** Returns the present lease; null while there is none. */
    @Nullable
    Lease lease() {
        return lease;
    }

    /** Returns how long a lease lives, as the server granted it, which may be more than was requested. */
    long ttlMicros() {
        Lease now = lease;
        return now == null ? ttlSeconds * MICROS : now.ttlMicros;
    }

    /** Runs a task soon, on another thread. */
    void soon(Runnable task) {
        try {
            timer.execute(task);
        } catch (RejectedExecutionException over) {
            // Closed.
        }
    }

    /** Runs a task later, on another thread. */
    void later(Runnable task, long nanos) {
        try {
            ScheduledFuture<?> unused = timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException over) {
            // Closed.
        }
    }

    // ---- the client's key ----------------------------------------------------------------------------------------

    ByteSequence key() {
        return key;
    }

    /** Compares that the client's key is there and of this lease. */
    Cmp isAlive(Lease of) {
        return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.value(Keys.bytes(of.id)));
    }

    /** Returns whether the key was there and of this lease, if reading it was the transaction's first part. */
    static boolean isAlive(Lease of, TxnResponse response) {
        return isAlive(of, Committed.of(response));
    }

    static boolean isAlive(Lease of, Committed committed) {
        List<KeyValue> key = committed.gets().get(0).getKvs();
        return !key.isEmpty() && Keys.text(key.get(0).getValue()).equals(of.id);
    }

    /** Writes the key again, which changes its revision, and with it the epoch. */
    Op touch(Lease of) {
        return Op.put(
                key,
                Keys.bytes(of.id),
                PutOption.builder().withLeaseId(of.number).build());
    }

    /** Returns the revision of the last known write of the client's key. */
    synchronized long epoch() {
        return epoch;
    }

    synchronized void newEpoch(Lease of, long revision) {
        if (of.equals(lease)) {
            epoch = Math.max(epoch, revision);
        }
    }

    // ---- proof ---------------------------------------------------------------------------------------------------

    /** Sends a transaction, and returns its value after the lease is proved to live on. */
    <T> CompletableFuture<T> prove(Sending<T> sending) {
        Lease now = lease;
        if (now == null) {
            return CompletableFuture.failedFuture(Failures.noSession(target()));
        }
        long called = HostClock.micros();
        return sending.with(now).thenCompose(answer -> {
            if (!answer.alive()) {
                lost(now);
                return CompletableFuture.failedFuture(Failures.sessionOver(target()));
            }
            return proven(now, called, answer.term()).thenApply(done -> answer.value());
        });
    }

    private CompletableFuture<Boolean> proven(Lease of, long called, long term) {
        Waiting one = new Waiting(of, called, term, new CompletableFuture<>());
        synchronized (this) {
            if (!of.equals(lease)) {
                return CompletableFuture.failedFuture(Failures.sessionOver(target()));
            }
            if (one.isProvenBy(renewal)) {
                return CompletableFuture.completedFuture(true);
            }
            waiting.add(one);
            if (asked > 0 && askedMicros >= called - of.ttlMicros / 3) {
                // A keep-alive in transit is enough.
                return one.proven;
            }
        }
        keepAlive(of);
        return one.proven;
    }

    // ---- the lease -----------------------------------------------------------------------------------------------

    private void tick() {
        Lease now = lease;
        if (now == null) {
            CompletableFuture<?> unused = begin();
        } else {
            keepAlive(now);
            takeOut(each -> each.isOld(HostClock.micros()))
                    .forEach(old -> old.proven.completeExceptionally(new StoreFailure(
                            StoreFailure.Effect.UNKNOWN,
                            StoreFailure.Reason.UNREACHABLE,
                            "the lease was not kept alive by etcd at " + target(),
                            null)));
        }
    }

    private synchronized List<Waiting> takeOut(Predicate<Waiting> which) {
        List<Waiting> out = waiting.stream().filter(which).toList();
        waiting.removeAll(out);
        return out;
    }

    private void keepAlive(Lease of) {
        long sent = HostClock.micros();
        synchronized (this) {
            asked++;
            askedMicros = sent;
        }
        CompletableFuture<?> unused = commands.keepAlive(of.number).whenComplete((answer, failed) -> {
            synchronized (this) {
                asked--;
            }
            if (failed == null && answer.getTTL() > 0) {
                renewed(of, sent, answer);
            } else if (failed == null || Failures.isLeaseGone(failed)) {
                lost(of);
            } else {
                missed();
            }
        });
    }

    private void renewed(Lease of, long sent, LeaseKeepAliveResponse answer) {
        Renewal newer = new Renewal(of, sent, answer.getHeader().getRaftTerm());
        boolean back;
        synchronized (this) {
            if (!of.equals(lease)) {
                return;
            }
            if (renewal == null || !of.equals(renewal.lease) || isBetter(newer, renewal)) {
                renewal = newer;
            }
            back = away;
            away = false;
        }
        takeOut(each -> each.isProvenBy(newer)).forEach(each -> each.proven.complete(true));
        Events hearer = events;
        if (back && hearer != null) {
            hearer.reconnected();
        }
    }

    private static boolean isBetter(Renewal one, Renewal other) {
        return one.term > other.term || (one.term == other.term && one.sentMicros > other.sentMicros);
    }

    private synchronized void missed() {
        away = true;
    }

    /** Ends a lease that is over, or whose key is gone. */
    void lost(Lease of) {
        synchronized (this) {
            if (!of.equals(lease)) {
                return;
            }
            lease = null;
        }
        takeOut(each -> true).forEach(each -> each.proven.completeExceptionally(Failures.sessionOver(target())));
        Events hearer = events;
        if (hearer != null) {
            hearer.ended(of.id);
        }
        // If only the key is gone, the lease is left to end by itself, because its client may still believe in its
        // holds.
        soon(this::tick);
    }

    /** Requests a lease, unless a request is already running. */
    private CompletableFuture<Boolean> begin() {
        if (closed || !beginning.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(false);
        }
        long sent = HostClock.micros();
        return commands.grant(ttlSeconds, TimeUnit.SECONDS.toMillis(ttlSeconds))
                .thenCompose(granted -> register(granted, sent))
                .whenComplete((done, failed) -> beginning.set(false));
    }

    private CompletableFuture<Boolean> register(LeaseGrantResponse granted, long sent) {
        String id = Long.toHexString(granted.getID());
        Lease unwritten = new Lease(granted.getID(), id, 0, granted.getTTL() * MICROS);
        return commands.commit("writing the client's key", List.of(), List.of(touch(unwritten)), List.of())
                .thenApply(written -> {
                    long start = written.getHeader().getRevision();
                    begun(
                            new Lease(unwritten.number, id, start, unwritten.ttlMicros),
                            sent,
                            granted.getHeader().getRaftTerm());
                    return true;
                });
    }

    private void begun(Lease begun, long sent, long term) {
        synchronized (this) {
            lease = begun;
            epoch = begun.start;
            renewal = new Renewal(begun, sent, term);
            away = false;
        }
        Events hearer = events;
        if (closed) {
            CompletableFuture<?> unused = commands.revoke(begun.number);
        } else if (hearer != null) {
            hearer.reconnected();
        }
    }

    @Override
    public void close() {
        closed = true;
        events = null;
        timer.shutdownNow();
        Lease last = lease;
        lease = null;
        try {
            if (last != null) {
                commands.revoke(last.number).get(CLOSING_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException away) {
            // The lease ends by itself.
        }
        if (ownsClient) {
            commands.client().close();
        }
    }
}
