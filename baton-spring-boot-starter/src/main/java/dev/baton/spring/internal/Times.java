package dev.baton.spring.internal;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;

/** Times of annotations. */
final class Times {
    private Times() {}

    /**
     * Reads a time.
     *
     * @param what the attribute
     * @param text as it is written
     * @param resolved without placeholders
     * @throws IllegalArgumentException if it is no time, or negative
     */
    static Duration of(String what, String text, String resolved) {
        Duration time;
        try {
            time = DurationStyle.detectAndParse(resolved);
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "has no time for " + what + ": \"" + text + "\"; write 500ms, 10s, 5m or PT10S", unreadable);
        }
        if (time.isNegative()) {
            throw new IllegalArgumentException("has a negative time for " + what + ": \"" + text + '"');
        }
        return time;
    }
}
