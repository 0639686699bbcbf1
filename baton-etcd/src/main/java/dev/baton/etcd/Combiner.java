package dev.baton.etcd;

import dev.baton.internal.store.Pace;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends changes of queues that meet as one transaction of nested ones, which the members agree on and write to their disks
 * once. A change that meets no other goes alone. While a transaction is under way, or two if the server is far, changes wait for an
 * answer, unless they are many, or it takes far longer than usual.
 *
 * <p>Changes are queued first and sent by a call of their own, because a caller may hold the monitor of an attempt while it
 * queues: sending completes changes of other attempts if the client is closed. Thread-safe.
 */
final class Combiner {
    /** Half of what a server takes in one transaction by default; its answer also has to fit into 4 MB. */
    static final int MOST = 64;

    /**
     * So many transactions are under way at once on a server that is far. With one, callers wait half as long again; with
     * three the server works more, and 64 callers get fewer locks.
     */
    static final int FAR_CALLS = 2;

    /** Sends a transaction. */
    interface Sender {
        CompletableFuture<TxnResponse> commit(String what, List<Cmp> compares, List<Op> then, List<Op> otherwise);
    }

    /** Runs a task later, on another thread; never if the session is closed. */
    interface Timer {
        void later(Runnable task, long nanos);
    }

    private final Sender sender;
    private final Timer timer;
    private final Pace pace;
    private final ReentrantLock lock = new ReentrantLock();

    // Under the lock.
    private final Deque<Queued> queue = new ArrayDeque<>();
    private int underWay;
    private boolean looksLater;

    private record Queued(Change change, Deadline patience, CompletableFuture<Committed> answer) {
        void fail(Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    Combiner(Sender sender, Timer timer, Pace pace) {
        this.sender = sender;
        this.timer = timer;
        this.pace = pace;
    }

    /** Queues a change; {@link #send} must follow. */
    CompletableFuture<Committed> queue(Change change) {
        lock.lock();
        try {
            Queued queued = new Queued(change, pace.patience(), new CompletableFuture<>());
            queue.add(queued);
            return queued.answer;
        } finally {
            lock.unlock();
        }
    }

    /** Sends what is queued, or leaves it to those who hear the answers to what is under way. */
    void send() {
        for (List<Queued> next = next(); !next.isEmpty(); next = next()) {
            send(next);
        }
    }

    private List<Queued> next() {
        long wait = 0;
        lock.lock();
        try {
            Queued oldest = queue.peek();
            if (oldest == null) {
                return List.of();
            }
            if (pace.isAnotherDue(underWay, queue.size(), oldest.patience)) {
                underWay++;
                return take();
            }
            if (!looksLater) {
                looksLater = true;
                wait = Math.max(1, oldest.patience.leftNanos());
            }
        } finally {
            lock.unlock();
        }
        if (wait > 0) {
            timer.later(this::look, wait);
        }
        return List.of();
    }

    private void look() {
        lock.lock();
        try {
            looksLater = false;
        } finally {
            lock.unlock();
        }
        send();
    }

    /**
     * Takes changes out of the queue. One that creates an entry is the only one of its name, because its token is the
     * revision, which all share. Entries of one name that end at once go together: between the two, a waiter might get a
     * turn that it has not when both are gone.
     */
    private List<Queued> take() {
        List<Queued> taken = new ArrayList<>();
        Map<String, Boolean> names = new HashMap<>();
        for (Iterator<Queued> each = queue.iterator(); each.hasNext() && taken.size() < MOST; ) {
            Queued queued = each.next();
            boolean creates = queued.change.creates();
            Boolean before = names.get(queued.change.name());
            if (before == null || !(before || creates)) {
                names.put(queued.change.name(), creates);
                each.remove();
                taken.add(queued);
            }
        }
        return taken;
    }

    private void send(List<Queued> some) {
        if (some.size() == 1) {
            sendAlone(some.get(0));
            return;
        }
        Deadline began = Deadline.in(0);
        List<Op> parts = some.stream().map(each -> each.change.asPart()).toList();
        CompletableFuture<?> unused = sender.commit("changing several lines", List.of(), parts, List.of())
                .whenComplete((response, failed) -> {
                    if (failed != null && isRefused(failed)) {
                        // Because of one of them, as a lease that is over; nothing was executed.
                        begun(some.size() - 1);
                        some.forEach(this::sendAlone);
                        return;
                    }
                    ended(began, failed == null, some.size());
                    tell(some, response, failed);
                });
    }

    /** Returns whether the server has refused one of them: then nothing was executed, and the others may pass. */
    private static boolean isRefused(Throwable failed) {
        Throwable cause = failed instanceof CompletionException ? failed.getCause() : failed;
        return cause instanceof StoreFailure failure
                && failure.effect() == StoreFailure.Effect.NONE
                && (failure.reason() != StoreFailure.Reason.UNREACHABLE || Failures.isLeaseGone(failure));
    }

    private void sendAlone(Queued one) {
        Deadline began = Deadline.in(0);
        Change change = one.change;
        CompletableFuture<?> unused = sender.commit(
                        change.what(),
                        change.compares(),
                        change.alone().then(),
                        change.alone().otherwise())
                .whenComplete((response, failed) -> {
                    ended(began, failed == null, 1);
                    if (failed == null) {
                        one.answer.complete(Committed.of(response));
                    } else {
                        one.fail(failed);
                    }
                });
    }

    private static void tell(List<Queued> some, TxnResponse response, @Nullable Throwable failed) {
        for (int i = 0; i < some.size(); i++) {
            if (failed == null) {
                some.get(i)
                        .answer
                        .complete(Committed.partOf(
                                response, response.getTxnResponses().get(i)));
            } else {
                some.get(i).fail(failed);
            }
        }
    }

    private void begun(int more) {
        lock.lock();
        try {
            underWay += more;
        } finally {
            lock.unlock();
        }
    }

    private void ended(Deadline began, boolean answered, int changes) {
        if (answered) {
            pace.took(-began.leftNanos(), changes);
        }
        begun(-1);
        send();
    }
}
