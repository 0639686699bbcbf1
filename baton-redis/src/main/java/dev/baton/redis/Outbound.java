package dev.baton.redis;

import dev.baton.spi.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a pipeline that wait to be sent, and those that were sent and have no answer.
 *
 * <p>Any thread may queue and send, one at a time. A thread that queues a command while another one sends may leave it there:
 * the sender looks into the queue again after it has let the others in. Only the leader of the pipeline takes answers,
 * connects and breaks the connection down.
 */
final class Outbound {
    /** Fits in a send buffer with room to spare. */
    static final int MOST_IN_FLIGHT = 64 * 1024;

    private final Queue<Call> queued = new ConcurrentLinkedQueue<>();
    private final Queue<Call> sent = new ConcurrentLinkedQueue<>();
    private final AtomicInteger bytesInFlight = new AtomicInteger();
    private final ReentrantLock sending = new ReentrantLock();
    private volatile @Nullable Wire wire;
    private volatile boolean held;

    // Under the lock.
    /** Why the last bytes could not be sent; null if they were. */
    private @Nullable Throwable trouble;

    private final RespWriter writer = new RespWriter();
    private final List<Call> batch = new ArrayList<>();

    /** Null if answers do not wait for replicas. */
    private final @Nullable Confirmation confirmation;

    private final long silenceNanos;

    /**
     * Creates it for one pipeline.
     *
     * @param wire the first connection
     * @param confirmation null if answers do not wait for replicas
     * @param silenceNanos after this time without an answer the server counts as silent
     */
    Outbound(Wire wire, @Nullable Confirmation confirmation, long silenceNanos) {
        this.wire = wire;
        this.confirmation = confirmation;
        this.silenceNanos = silenceNanos;
    }

    /** Returns the present connection; null if there is none. */
    @Nullable
    Wire wire() {
        return wire;
    }

    void queue(Call call) {
        queued.add(call);
    }

    boolean hasQueued() {
        return !queued.isEmpty();
    }

    /** Returns a queued call that a caller waits for, one that may lead if there is one. */
    @Nullable
    Call firstQueued() {
        return Call.first(queued);
    }

    /** Has each queued call dealt with, once. */
    void forEachQueued(Consumer<Call> action) {
        queued.forEach(action);
    }

    /** Takes the next call out of the queue; null if it is empty. */
    @Nullable
    Call unqueue() {
        return queued.poll();
    }

    // ---- sending --------------------------------------------------------------------------------------------------

    /** Sends the queue, as far as it may be sent now, unless another thread does. */
    void send(Wire open) throws IOException {
        while (isDue(open) && sending.tryLock()) {
            try {
                if (isDue(open)) {
                    write(open);
                }
            } catch (IOException | RuntimeException | Error failure) {
                trouble = failure;
                throw failure;
            } finally {
                sending.unlock();
            }
        }
    }

    private boolean isDue(Wire open) {
        return wire == open
                && !held
                && !queued.isEmpty()
                && bytesInFlight.get() < MOST_IN_FLIGHT
                && (confirmation == null || !confirmation.isUnderWay());
    }

    /** Does the same for a thread that does not lead. If it fails, the leader finds the connection closed. */
    void sendBeside(Wire open) {
        try {
            send(open);
        } catch (IOException | RuntimeException failure) {
            open.close();
        } catch (Error fault) {
            open.close();
            throw fault;
        }
    }

    private void write(Wire open) throws IOException {
        Deadline patience = Deadline.in(silenceNanos);
        writer.truncate(0);
        try {
            encode(open, patience);
        } finally {
            // Also those of a failed flush: the leader, which breaks the connection down, tells their callers.
            sent.addAll(batch);
            batch.clear();
        }
        if (writer.size() > 0) {
            bytesInFlight.addAndGet(writer.size());
            open.send(writer.bytes(), writer.size());
        }
    }

    private void encode(Wire open, Deadline patience) {
        int before = bytesInFlight.get();
        Call next = queued.peek();
        while (next != null && before + writer.size() < MOST_IN_FLIGHT) {
            Call.Joint joint = next.joint();
            if (joint != null) {
                encodeTogether(joint, before, open, patience);
            } else {
                encodeNext(writer, open, patience);
            }
            next = queued.peek();
        }
        if (confirmation != null) {
            confirmation.demand(batch, writer, open, patience);
        }
    }

    /** Writes the next command of the queue; returns it, or null if its caller has gone. */
    private @Nullable Call encodeNext(RespWriter out, Wire open, Deadline patience) {
        Call call = queued.remove();
        if (!call.encode(out, open, patience)) {
            return null;
        }
        batch.add(call);
        return call;
    }

    /** Writes adjacent commands of the queue as one, if they can travel together. */
    private void encodeTogether(Call.Joint joint, int before, Wire open, Deadline patience) {
        RespWriter parts = joint.begin();
        Call first = null;
        int count = 0;
        Call next = queued.peek();
        while (next != null
                && next.joint() == joint
                && count < joint.most()
                && before + writer.size() + joint.size() < MOST_IN_FLIGHT) {
            Call written = encodeNext(parts, open, patience);
            if (written != null) {
                first = first == null ? written : first;
                count++;
            }
            next = queued.peek();
        }
        if (first != null) {
            int start = writer.size();
            joint.end(writer, open, count);
            first.speakFor(count, writer.size() - start - parts.size());
        }
    }

    // ---- the leader -----------------------------------------------------------------------------------------------

    /** Sends nothing more on this connection. */
    void hold() {
        held = true;
    }

    boolean isHeld() {
        return held;
    }

    /** Returns the call whose answer comes next; null if there is none. */
    @Nullable
    Call oldest() {
        return sent.peek();
    }

    /** Takes the call whose answer has come; null if there is none. */
    @Nullable
    Call answered() {
        Call call = sent.poll();
        if (call != null) {
            bytesInFlight.addAndGet(-call.size());
        }
        return call;
    }

    /** Returns a sent call that a caller waits for, one that may lead if there is one. */
    @Nullable
    Call firstSent() {
        return Call.first(sent);
    }

    /** Returns whether another thread sends now, so that a call may be neither queued nor sent. */
    boolean isSending() {
        return sending.isLocked();
    }

    void connected(Wire fresh) {
        wire = fresh;
    }

    /**
     * Ends a connection: closes it, and waits for the thread that sends. Afterwards nothing is in flight.
     *
     * @param each is told of each call whose answer will not come, and of the reason
     */
    void breakDown(Wire broken, Throwable why, CutOff each) {
        broken.close();
        wire = null;
        sending.lock();
        try {
            Throwable first = trouble;
            for (Call call = sent.poll(); call != null; call = sent.poll()) {
                each.cutOff(call, first == null ? why : first);
            }
            trouble = null;
            bytesInFlight.set(0);
            held = false;
        } finally {
            sending.unlock();
        }
    }

    /** Is told of a call that was sent on a connection that broke. */
    interface CutOff {
        void cutOff(Call call, Throwable why);
    }
}
