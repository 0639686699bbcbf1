package dev.baton.internal.client;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Unguessable random numbers, drawn in blocks: one draw for each number costs more than a local hand-off. */
final class Secrets implements LongSupplier {
    private static final int BLOCK_BYTES = 512;

    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();
    private final byte[] block = new byte[BLOCK_BYTES];
    private final ByteBuffer left = ByteBuffer.wrap(block).limit(0);

    @Override
    public long getAsLong() {
        lock.lock();
        try {
            if (!left.hasRemaining()) {
                random.nextBytes(block);
                left.clear();
            }
            return left.getLong();
        } finally {
            lock.unlock();
        }
    }
}
