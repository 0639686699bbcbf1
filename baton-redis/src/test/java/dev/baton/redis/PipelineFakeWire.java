package dev.baton.redis;

import dev.baton.spi.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A server that gives the test's answers when the test says so; or echoes everything that it receives. */
final class PipelineFakeWire implements Wire {
    private final boolean echoes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicBoolean sending = new AtomicBoolean();
    private final AtomicBoolean receiving = new AtomicBoolean();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private byte[] unread = {};
    private int read;
    private int sends;
    private boolean closed;
    private boolean reading;
    private volatile boolean shared;

    private PipelineFakeWire(boolean echoes) {
        this.echoes = echoes;
    }

    static PipelineFakeWire silent() {
        return new PipelineFakeWire(false);
    }

    static PipelineFakeWire echo() {
        return new PipelineFakeWire(true);
    }

    @Override
    public void send(byte[] bytes, int length) throws IOException {
        begin(sending);
        lock.lock();
        try {
            requireOpen();
            sends++;
            sent.write(bytes, 0, length);
            if (echoes) {
                put(bytes, length);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
            sending.set(false);
        }
    }

    @Override
    public int receive(byte[] into, int offset, int length, long nanos) throws IOException {
        begin(receiving);
        // As with a socket, an interrupt has no meaning.
        boolean interrupted = false;
        Deadline deadline = Deadline.in(nanos);
        lock.lock();
        try {
            reading = true;
            changed.signalAll();
            while (read == unread.length && !closed && deadline.leftNanos() > 0) {
                try {
                    long unused = changed.awaitNanos(deadline.leftNanos());
                } catch (InterruptedException kept) {
                    interrupted = true;
                }
            }
            requireOpen();
            int count = Math.min(length, unread.length - read);
            System.arraycopy(unread, read, into, offset, count);
            read += count;
            changed.signalAll();
            return count;
        } finally {
            reading = false;
            lock.unlock();
            receiving.set(false);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void begin(AtomicBoolean use) {
        if (!use.compareAndSet(false, true)) {
            shared = true;
        }
    }

    private void requireOpen() throws EOFException {
        if (closed) {
            throw new EOFException("the fake server is gone");
        }
    }

    private void put(byte[] bytes, int length) {
        byte[] more = new byte[unread.length - read + length];
        System.arraycopy(unread, read, more, 0, unread.length - read);
        System.arraycopy(bytes, 0, more, unread.length - read, length);
        unread = more;
        read = 0;
    }

    /** Makes the server answer. */
    void answer(String text) {
        lock.lock();
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            put(bytes, bytes.length);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the bytes that the server received. */
    String sent() {
        lock.lock();
        try {
            return sent.toString(StandardCharsets.UTF_8);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of pieces that it received. */
    int sends() {
        lock.lock();
        try {
            return sends;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the server has received a number of bytes, and the pipeline waits for an answer: until then its leader
     * also sends what is queued meanwhile.
     */
    void awaitSent(int bytes) throws InterruptedException {
        await(() -> sent.size() >= bytes && reading);
    }

    /** Waits until the pipeline has read everything that the server answered. */
    void awaitRead() throws InterruptedException {
        await(() -> read == unread.length);
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(10);
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    throw new IllegalStateException("only got " + sent + ", and " + (unread.length - read) + " unread");
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether two threads used it at the same time. */
    boolean wasShared() {
        return shared;
    }

    @Override
    public String runId() {
        return "fake";
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
