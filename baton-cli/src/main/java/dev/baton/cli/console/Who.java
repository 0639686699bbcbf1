package dev.baton.cli.console;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A holder or waiter of a lock, as its client describes it, for users.
 *
 * @param name application, host, process, and the thread if it adds information; printable and of limited length
 * @param since when its wait or hold began, by the client's own clock; null if the description does not say
 */
public record Who(String name, @Nullable Instant since) {
    /** A limit for descriptions of another library version or another program, which may have any length. */
    private static final int LONGEST = 200;

    private static final String SINCE = " since ";
    private static final String THREAD = " thread ";

    /**
     * Threads that add nothing to the process: the first of a program, none, and Baton's own for a job or an election.
     * The first has number 1 or, since JDK 25, 3; the numbers of an application's own threads begin above ten.
     */
    private static final Pattern NO_MORE = Pattern.compile("main #\\d|async|baton-(?:job|candidate)-.*");

    /** Below ten seconds, the text of a time has a fraction. */
    private static final int TEN = 10;

    /**
     * Reads a description.
     *
     * @param description as the store keeps it
     * @return its parts; if it does not have Baton's form, all of it as the name
     */
    public static Who of(String description) {
        int at = description.lastIndexOf(SINCE);
        Instant since = at < 0 ? null : instant(description.substring(at + SINCE.length()));
        String name = since == null ? description : description.substring(0, at);
        int thread = name.lastIndexOf(THREAD);
        if (thread >= 0
                && NO_MORE.matcher(name.substring(thread + THREAD.length())).matches()) {
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
     * Returns how long it has been holding or waiting.
     *
     * @return such as {@code 3m20s}, to the second, as precise as the description; a hyphen if unknown
     */
    public String age() {
        if (since == null) {
            return "-";
        }
        long seconds = Math.max(0, Duration.between(since, HostTime.now()).toSeconds());
        return seconds < TEN ? seconds + "s" : DurationConverter.text(Duration.ofSeconds(seconds));
    }

    /**
     * Returns the description as one line.
     *
     * @return name, time and age
     */
    public String line() {
        return since == null ? name : name + " since " + since + " (" + age() + ')';
    }
}
