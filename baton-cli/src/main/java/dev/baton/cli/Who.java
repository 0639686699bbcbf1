package dev.baton.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who holds a lock or waits for one, as they described themselves, for people.
 *
 * @param name application, host, process, and thread where it says more than the process; printable and not endless
 * @param since when they began, by their own clock; null if they do not say
 */
public record Who(String name, @Nullable Instant since) {
    /** What a library of another version, or somebody else, may write has no bounds. */
    private static final int LONGEST = 200;

    private static final String SINCE = " since ";
    private static final String THREAD = " thread ";

    /** Threads that say no more than the process: a program's only one, and none. */
    private static final List<String> NO_MORE = List.of("main", "async");

    /** Less has a fraction in the text of a time. */
    private static final int TEN = 10;

    /**
     * Reads a description.
     *
     * @param description as the store keeps it
     * @return what is in it; all of it as the name, if it is not of Baton's form
     */
    public static Who of(String description) {
        int at = description.lastIndexOf(SINCE);
        Instant since = at < 0 ? null : instant(description.substring(at + SINCE.length()));
        String name = since == null ? description : description.substring(0, at);
        int thread = name.lastIndexOf(THREAD);
        if (thread >= 0 && NO_MORE.contains(name.substring(thread + THREAD.length()))) {
            name = name.substring(0, thread);
        }
        return new Who(Fit.middle(Printable.of(Fit.middle(name, LONGEST)), LONGEST), since);
    }

    private static @Nullable Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException somethingElse) {
            return null;
        }
    }

    /**
     * For how long by now.
     *
     * @return such as {@code 3m20s}, to the second, as the description is; a hyphen if that is not known
     */
    public String age() {
        if (since == null) {
            return "-";
        }
        long seconds = Math.max(0, Duration.between(since, HostTime.now()).toSeconds());
        return seconds < TEN ? seconds + "s" : DurationConverter.text(Duration.ofSeconds(seconds));
    }

    /**
     * In one line.
     *
     * @return name, time and age
     */
    public String line() {
        return since == null ? name : name + " since " + since + " (" + age() + ')';
    }
}
