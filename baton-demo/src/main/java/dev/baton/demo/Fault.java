package dev.baton.demo;

import java.time.Duration;

/**
 * A holder's trouble, scripted so that it happens in every run. While the holder gets into position, the shops are
 * between two waves of buyers; then the next wave comes.
 */
public enum Fault {
    /** The holder has read the stock and is slow to write. Other buyers enter if the lock lets them. */
    SLOW_HOLDER("slow holder", Cast.ALONE, Duration.ofMillis(1_500)),
    /** The same, but its process is stopped meanwhile: it can neither renew nor notice anything. */
    STOPPED_HOLDER("stopped holder", Cast.ALONE, Duration.ofSeconds(8)),
    /** The holder has read the stock and is killed. */
    KILLED_HOLDER("killed holder", Cast.ALONE, Duration.ZERO),
    /** A {@code set} or {@code delete} that relies on an earlier read is sent late; another buyer enters meanwhile. */
    SLOW_CALL("slow call", Cast.WITH_THE_NEXT, Duration.ofSeconds(8));

    private final String title;
    private final Cast cast;
    private final Duration patience;

    Fault(String title, Cast cast, Duration patience) {
        this.title = title;
        this.cast = cast;
        this.patience = patience;
    }

    String title() {
        return title;
    }

    Cast cast() {
        return cast;
    }

    /**
     * Returns how long the holder stays in trouble at most. It ends as soon as a wave of buyers has passed the holder.
     */
    Duration patience() {
        return patience;
    }

    /** The holders that take part. */
    enum Cast {
        /** Only the holder in trouble. */
        ALONE,
        /** The holder in trouble, and the one that enters after it or at the same time. */
        WITH_THE_NEXT
    }
}
