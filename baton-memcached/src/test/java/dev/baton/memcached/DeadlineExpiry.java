package dev.baton.memcached;

import java.util.concurrent.TimeUnit;

/** An expiry for tests that move time: deadlines decide, and items stay until a client finds them over. */
final class DeadlineExpiry implements Expiry {
    /** Longer than any test. */
    private static final long TEST_MICROS = TimeUnit.DAYS.toMicros(1);

    @Override
    public Item alive(Item.Read read, long now) {
        return read.item();
    }

    @Override
    public long end(Session session, Item item, Found found, long now) {
        return session.endAfter(TEST_MICROS);
    }
}
