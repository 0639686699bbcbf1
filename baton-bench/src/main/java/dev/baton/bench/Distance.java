package dev.baton.bench;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far away the servers are.
 *
 * @param added what is added to each round trip; zero if clients speak to the servers directly
 * @param measured how long a round trip through the same proxy takes, at the median; zero for none
 */
record Distance(Duration added, Duration measured) {
    /** Clients speak to the servers directly. */
    static final Distance NONE = new Distance(Duration.ZERO, Duration.ZERO);

    private static final Pattern FORM = Pattern.compile("(\\d{1,6})(us|ms)?");
    private static final Duration MOST = Duration.ofSeconds(1);
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * Reads a distance as a user writes it.
     *
     * @throws IllegalArgumentException if it has another form, or is longer than a second
     */
    static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches() || (matcher.group(2) == null && !matcher.group(1).equals("0"))) {
            throw new IllegalArgumentException(
                    "not a distance: " + text + ": write a time with its unit, such as 0, 300us or 1ms");
        }
        ChronoUnit unit = "ms".equals(matcher.group(2)) ? ChronoUnit.MILLIS : ChronoUnit.MICROS;
        Duration time = Duration.of(Long.parseLong(matcher.group(1)), unit);
        if (time.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "a distance of " + text + " is longer than 1s, the most that is measured");
        }
        return time;
    }

    boolean isNone() {
        return added.isZero();
    }

    double addedMillis() {
        return added.toNanos() / NANOS_PER_MILLI;
    }

    double measuredMillis() {
        return measured.toNanos() / NANOS_PER_MILLI;
    }

    /** Says in words how far servers are that are at a distance. */
    String words() {
        return String.format(
                Locale.ROOT,
                "at a distance: a proxy adds %.2f ms to each round trip; through it an echo takes %.2f ms at the median",
                addedMillis(),
                measuredMillis());
    }
}
