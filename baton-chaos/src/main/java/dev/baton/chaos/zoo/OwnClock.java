package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import java.time.Duration;

/** How far the wall clock of this process has been set since it began. Immutable. */
final class OwnClock {
    private static final long SECOND_MILLIS = 1_000;

    private final long beganMillis = HostTime.wallMillis();
    private final long beganNanos = HostTime.nanos();

    /** Returns it in whole seconds: a fault sets clocks by a second at least, and two clocks are not read at the same time. */
    long aheadMillis() {
        Duration passed = Duration.ofMillis(HostTime.wallMillis() - beganMillis);
        return passed.minus(HostTime.since(beganNanos)).toMillis() / SECOND_MILLIS * SECOND_MILLIS;
    }
}
