package dev.baton.internal.engine;

import dev.baton.spi.Cancel;
import dev.baton.spi.Release;
import java.util.ArrayList;
import java.util.List;

/** The holds and attempts of a closing client that must be ended at the store. */
public final class Closing {
    private final List<Release> releases = new ArrayList<>();
    private final List<Cancel> cancels = new ArrayList<>();

    void release(Release release) {
        releases.add(release);
    }

    void cancel(Cancel cancel) {
        cancels.add(cancel);
    }

    /** Returns the holds to release. */
    public List<Release> releases() {
        return releases;
    }

    /** Returns the attempts to undo. */
    public List<Cancel> cancels() {
        return cancels;
    }
}
