package dev.baton.tck;

import dev.baton.internal.client.SystemClock;
import dev.baton.internal.engine.Clock;
import java.time.Duration;

/** The clocks of this machine, the wall clock set wrong. */
record WallClockAhead(Duration by) implements Clock {
    @Override
    public long nanos() {
        return SystemClock.INSTANCE.nanos();
    }

    @Override
    public long wallMillis() {
        return SystemClock.INSTANCE.wallMillis() + by.toMillis();
    }
}
