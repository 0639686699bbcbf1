package dev.baton.chaos.zoo;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The jobs whose schedules in this client have ended. Thread-safe. */
final class Schedules {
    private final BatonDesign.Outages outages;
    private final Set<String> ended = ConcurrentHashMap.newKeySet();

    Schedules(BatonDesign.Outages outages) {
        this.outages = outages;
    }

    /** A look at the record of a job got no answer. */
    void unanswered(String name) {
        if (outages == BatonDesign.Outages.END_THE_SCHEDULE) {
            ended.add(name);
        }
    }

    boolean isEnded(String name) {
        return ended.contains(name);
    }
}
