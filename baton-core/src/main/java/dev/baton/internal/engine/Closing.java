package dev.baton.internal.engine;

import dev.baton.spi.Cancel;
import dev.baton.spi.Release;
import java.util.ArrayList;
import java.util.List;

/** What a closing client leaves at the store, to be ended in one go. */
public final class Closing {
    private final List<Release> releases = new ArrayList<>();
    private final List<Cancel> cancels = new ArrayList<>();

    void release(Release release) {
        releases.add(release);
    }

    void cancel(Cancel cancel) {
        cancels.add(cancel);
    }

    /** Holds to release. */
    public List<Release> releases() {
        return releases;
    }

    /** Attempts to undo. */
    public List<Cancel> cancels() {
        return cancels;
    }
}
