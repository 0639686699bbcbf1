package dev.baton.cli.console;

import dev.baton.Admin;
import dev.baton.GracePeriod;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A grace period of the store, for users and programs.
 *
 * @param period what the store says
 * @param until its end by this machine's clock
 */
public record Grace(GracePeriod period, Instant until) {
    /** The field of JSON objects. */
    public static final String FIELD = "gracePeriod";

    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

    /**
     * Asks the store.
     *
     * @param admin the administration of a client
     * @return the present grace period, or empty
     */
    public static Optional<Grace> of(Admin admin) {
        return admin.gracePeriod()
                .map(period -> new Grace(period, HostTime.now().plus(period.remaining())));
    }

    /**
     * Returns one line for users: until when, and why.
     *
     * @return the line
     */
    public String line() {
        return "the store is in a grace period for another " + rest() + ", until " + LOCAL.format(until) + " ("
                + Printable.of(period.reason()) + "): it grants nothing new, and holders keep their locks";
    }

    /**
     * Returns a few words for a line that says more.
     *
     * @return the words
     */
    public String words() {
        return "the store is in a grace period for another " + rest();
    }

    private String rest() {
        Duration left = period.remaining();
        return left.toSeconds() < 1 ? "second" : DurationConverter.text(left.truncatedTo(ChronoUnit.SECONDS));
    }

    /**
     * Returns it for programs.
     *
     * @return the object of the field {@link #FIELD}
     */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("remainingMillis", period.remaining().toMillis());
        json.put("until", until.truncatedTo(ChronoUnit.SECONDS).toString());
        json.put("reason", period.reason());
        return json;
    }
}
