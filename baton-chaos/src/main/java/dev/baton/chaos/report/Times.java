package dev.baton.chaos.report;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Times as pages show them. */
final class Times {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private Times() {}

    /** Returns the seconds since the beginning, to the millisecond. */
    static String at(long nanos, long beganNanos) {
        return String.format(Locale.ROOT, "%.3f s", (nanos - beganNanos) / NANOS_PER_SECOND);
    }

    /** Returns a duration with a unit that suits it. */
    static String of(Duration time) {
        double millis = time.toNanos() / NANOS_PER_MILLI;
        if (millis >= 1_000) {
            return String.format(Locale.ROOT, "%.2f s", millis / 1_000);
        }
        return String.format(Locale.ROOT, millis >= 10 ? "%.0f ms" : "%.2f ms", millis);
    }

    static String of(Optional<Duration> time) {
        return time.map(Times::of).orElse("none");
    }

    /** Returns a number with its thousands apart. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns a number with its noun. */
    static String count(long number, String noun) {
        return count(number) + ' ' + noun + (number == 1 ? "" : "s");
    }
}
