package dev.baton.internal.client;

import dev.baton.internal.engine.Clock;

/** The machine's clocks; the only place that reads them. */
public enum SystemClock implements Clock {
    /** The machine's. */
    INSTANCE;

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
