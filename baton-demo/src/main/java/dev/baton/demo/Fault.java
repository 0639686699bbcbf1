package dev.baton.demo;

import java.time.Duration;

/**
 * What happens to a holder, scripted so that it happens in every run. While it gets into position the shops are
 * between two waves of buyers; then the next wave comes.
 */
public enum Fault {
    /** Has read the stock and is slow to write: others come in if the lock lets them. */
    SLOW_HOLDER("slow holder", Cast.ALONE, Duration.ofMillis(1_500)),
    /** As before, but its process is stopped meanwhile: it can neither renew nor notice. */
    STOPPED_HOLDER("stopped holder", Cast.ALONE, Duration.ofSeconds(8)),
    /** Has read the stock and is killed. */
    KILLED_HOLDER("killed holder", Cast.ALONE, Duration.ZERO),
    /** Is slow to send a {@code set} or {@code delete} that rests on what it saw before; another comes in meanwhile. */
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

    /** How long the holder stays in trouble at most; it is over as soon as a wave of buyers has got past it. */
    Duration patience() {
        return patience;
    }

    /** Who plays. */
    enum Cast {
        /** The holder in trouble alone. */
        ALONE,
        /** The holder in trouble and the one that comes in after or beside it. */
        WITH_THE_NEXT
    }
}
