package dev.baton.spring.internal;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Observes how long callers of locked methods wait, and how long they have the lock. The observation of the hold is the parent
 * of those that the method makes. Thread-safe.
 */
final class Observations {
    /** Under which key Reactor's context has the present observation; the same as in Micrometer's library for contexts. */
    static final String KEY = "micrometer.observation";

    private static final String WAIT = "baton.locked.wait";
    private static final String HOLD = "baton.locked.hold";
    private static final String OUTCOME = "outcome";

    private final ConfigurableBeanFactory beans;
    private volatile @Nullable ObservationRegistry registry;

    Observations(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    /** Asked for at the first call: the registry may have locked methods in what it depends on. */
    private ObservationRegistry registry() {
        ObservationRegistry found = registry;
        if (found == null) {
            found = beans.getBeanProvider(ObservationRegistry.class).getIfUnique(() -> ObservationRegistry.NOOP);
            registry = found;
        }
        return found;
    }

    private Observation start(String name, String words, Call call, @Nullable Observation parent) {
        ObservationRegistry present = registry();
        if (present.isNoop()) {
            return Observation.NOOP;
        }
        // The names are for traces alone: as tags of a meter they would be a time series each, for ever.
        Observation observation = Observation.createNotStarted(name, present)
                .contextualName(words)
                .lowCardinalityKeyValue("method", LockNames.text(call.plan().method()))
                .highCardinalityKeyValue("locks", String.join(", ", call.names()));
        if (parent != null) {
            observation.parentObservation(parent);
        }
        return observation.start();
    }

    /** Begins the observation of a wait. Its parent is the given one, or else that of this thread. */
    Observation waits(Call call, @Nullable Observation parent) {
        return start(WAIT, "wait for lock", call, parent);
    }

    /** Begins the observation of a hold. */
    Observation holds(Call call, @Nullable Observation parent) {
        return start(HOLD, "hold lock", call, parent);
    }

    /** Ends the observation of a wait. */
    static void ended(Observation wait, boolean acquired, @Nullable Throwable thrown) {
        if (thrown != null) {
            wait.error(thrown);
        }
        wait.lowCardinalityKeyValue(OUTCOME, thrown != null ? "failed" : acquired ? "acquired" : "busy");
        wait.stop();
    }
}
