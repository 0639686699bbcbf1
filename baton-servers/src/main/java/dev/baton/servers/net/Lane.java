package dev.baton.servers.net;

import dev.baton.servers.net.Flow.Direction;
import dev.baton.spi.Deadline;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The bytes on their way in one direction of a connection, in order, and their end. Bounded: a reader that adds more
 * bytes than the lane holds waits. Thread-safe.
 */
final class Lane {
    /** How the bytes of a lane end. */
    enum End {
        /** There are more bytes. */
        NONE,
        /** No more bytes come. */
        FINISH,
        /** The connection was reset. */
        RESET
    }

    /**
     * Bytes that are added or taken at once.
     *
     * @param bytes may be empty
     * @param end whether and how the lane ends after the bytes
     * @param due when they may be taken
     */
    record Chunk(ByteBuffer bytes, End end, Deadline due) {}

    private static final int BOUND = 1 << 20;
    private static final long DRIBBLE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Direction direction;
    private final Supplier<Flow> flow;
    private final Runnable onDisturbance;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private int held;
    private boolean ended;
    private boolean closed;
    private Deadline nextSlice = Deadline.in(0);

    /**
     * Makes an empty lane.
     *
     * @param flow says how to treat the bytes; after its answer changes, call {@link #wake}
     * @param onDisturbance is called for each chunk that arrives while the flow is not free
     */
    Lane(Direction direction, Supplier<Flow> flow, Runnable onDisturbance) {
        this.direction = direction;
        this.flow = flow;
        this.onDisturbance = onDisturbance;
    }

    /** Adds bytes or the end, and waits while the lane is full. Returns false if the lane is closed. */
    boolean put(ByteBuffer bytes, End end) throws InterruptedException {
        lock.lock();
        try {
            Flow now = flow.get();
            if (bytes.hasRemaining() && now.disturbs(direction)) {
                onDisturbance.run();
            }
            chunks.add(new Chunk(bytes, end, Deadline.in(now.delay().toNanos())));
            held += bytes.remaining();
            ended = end != End.NONE;
            changed.signalAll();
            while (held > BOUND && !closed) {
                changed.await();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next chunk as soon as it may pass. A closed lane ends with a reset. */
    Chunk take() throws InterruptedException {
        lock.lock();
        try {
            while (!closed) {
                Flow now = flow.get();
                Chunk head = chunks.peek();
                if (head == null || now.holds(direction)) {
                    changed.await();
                } else if (nanosUntilDue(head, now) > 0) {
                    changed.awaitNanos(nanosUntilDue(head, now));
                } else if (now.discards(direction) && head.end() == End.NONE) {
                    slice(head, 0);
                } else {
                    return slice(head, now.most());
                }
            }
            return new Chunk(ByteBuffer.allocate(0), End.RESET, Deadline.in(0));
        } finally {
            lock.unlock();
        }
    }

    private long nanosUntilDue(Chunk head, Flow now) {
        long left = head.due().leftNanos();
        return now.most() == 0 ? left : Math.max(left, nextSlice.leftNanos());
    }

    /** Waits until bytes may pass. Returns false if the lane is closed. */
    boolean awaitOpen() throws InterruptedException {
        lock.lock();
        try {
            while (!closed && flow.get().holds(direction)) {
                changed.await();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Takes this many bytes from the head, or all of them. */
    private Chunk slice(Chunk head, int most) {
        int size = head.bytes().remaining();
        int taken = most == 0 ? size : Math.min(most, size);
        held -= taken;
        changed.signalAll();
        if (taken == size) {
            chunks.remove();
        }
        nextSlice = Deadline.in(DRIBBLE_PAUSE_NANOS);
        ByteBuffer bytes = head.bytes().slice(head.bytes().position(), taken);
        head.bytes().position(head.bytes().position() + taken);
        return new Chunk(bytes, head.end(), head.due());
    }

    /** Returns whether the end was added. */
    boolean hasEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Makes waiting threads read the flow again. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the lane, and releases all waiting threads. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
