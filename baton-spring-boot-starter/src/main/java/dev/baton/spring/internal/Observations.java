package dev.baton.spring.internal;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.util.List;
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

    /** The first call asks for it: a bean that the registry needs may have locked methods. */
    private ObservationRegistry registry() {
        ObservationRegistry found = registry;
        if (found == null) {
            found = beans.getBeanProvider(ObservationRegistry.class).getIfUnique(() -> ObservationRegistry.NOOP);
            registry = found;
        }
        return found;
    }

    private Observation start(
            String name, String words, Method method, List<String> locks, @Nullable Observation parent) {
        ObservationRegistry present = registry();
        if (present.isNoop()) {
            return Observation.NOOP;
        }
        // The names are for traces alone: as tags of a meter they would be a time series each, for ever.
        Observation observation = Observation.createNotStarted(name, present)
                .contextualName(words)
                .lowCardinalityKeyValue("method", LockNames.text(method))
                .highCardinalityKeyValue("locks", String.join(", ", locks));
        if (parent != null) {
            observation.parentObservation(parent);
        }
        return observation.start();
    }

    /** Begins the observation of a wait. Its parent is the given one, or else that of this thread. */
    Observation waits(Method method, List<String> locks, @Nullable Observation parent) {
        return start(WAIT, "wait for lock", method, locks, parent);
    }

    /** Begins the observation of a hold. */
    Observation holds(Method method, List<String> locks, @Nullable Observation parent) {
        return start(HOLD, "hold lock", method, locks, parent);
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
