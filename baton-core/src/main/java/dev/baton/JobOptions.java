package dev.baton;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a job runs. Immutable and thread-safe; start from {@link #defaults()}. Each {@code with} method returns changed
 * options and leaves these as they are. All clients of a job should use the same options.
 *
 * @since 0.1
 */
public final class JobOptions {
    /** How many gaps between fire times are compared with the least time of a run. */
    private static final int GAPS = 10;

    private static final JobOptions DEFAULTS = new JobOptions(new Values());

    private final Values values;

    private JobOptions(Values values) {
        this.values = values;
    }

    /** Mutable only until the options are made. */
    private static final class Values {
        private Duration atLeast = Duration.ZERO;
        private @Nullable Duration atMost;
        private AfterDeath afterDeath = AfterDeath.RERUN;
        private CatchUp catchUp = CatchUp.ONE;

        private Values() {}

        private Values(Values from) {
            atLeast = from.atLeast;
            atMost = from.atMost;
            afterDeath = from.afterDeath;
            catchUp = from.catchUp;
        }
    }

    /** What follows if a runner dies, or loses its lease, before it has recorded the outcome of its run. */
    public enum AfterDeath {
        /**
         * Another one begins the action once more for the same fire time, and is told that this is not the first attempt. For
         * actions that may begin twice: idempotent ones, and those whose writes are fenced.
         */
        RERUN,
        /** The outcome is recorded as unknown, and the action is not begun again for this fire time. */
        ABANDON
    }

    /** What happens with fire times that have passed while no client could run the job. */
    public enum CatchUp {
        /** Nothing: a fire time that is more than a minute late is not run. */
        NONE,
        /** The last one that has passed is run; those before it are not. */
        ONE,
        /** All are run, in their order; of more than a hundred, the last hundred. */
        ALL
    }

    private JobOptions with(Consumer<Values> change) {
        Values changed = new Values(values);
        change.accept(changed);
        Duration most = changed.atMost;
        if (most != null && changed.atLeast.compareTo(most) > 0) {
            throw new IllegalArgumentException("atLeast must not be longer than atMost, but is " + changed.atLeast
                    + ", and atMost " + most + ": shorten the one or lengthen the other");
        }
        return new JobOptions(changed);
    }

    /**
     * Returns the defaults: no limits of time, {@link AfterDeath#RERUN}, and {@link CatchUp#ONE}.
     *
     * @return the defaults
     */
    public static JobOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Keeps the job from all runners for some time after its run has begun, even if the action ends sooner.
     *
     * @param time from the start of the action; zero for none
     * @return changed options
     * @throws IllegalArgumentException if it is negative, or longer than {@link #atMost}
     */
    public JobOptions withAtLeast(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("atLeast must not be negative, but is " + time);
        }
        return with(changed -> changed.atLeast = time);
    }

    /**
     * Limits how long a run may take. Then its thread is interrupted, and the run is recorded as failed. An action that
     * ignores the interrupt loses its lease one lease time later, and another runner may begin according to {@link
     * #afterDeath}.
     *
     * @param time from the start of the run; positive
     * @return changed options
     * @throws IllegalArgumentException if it is not positive, or shorter than {@link #atLeast}
     */
    public JobOptions withAtMost(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("atMost must be positive, but is " + time);
        }
        return with(changed -> changed.atMost = time);
    }

    /**
     * Says what follows if a runner dies.
     *
     * @param policy the policy
     * @return changed options
     */
    public JobOptions withAfterDeath(AfterDeath policy) {
        Objects.requireNonNull(policy, "policy");
        return with(changed -> changed.afterDeath = policy);
    }

    /**
     * Says what happens with fire times that have passed while no client could run the job.
     *
     * @param policy the policy
     * @return changed options
     */
    public JobOptions withCatchUp(CatchUp policy) {
        Objects.requireNonNull(policy, "policy");
        return with(changed -> changed.catchUp = policy);
    }

    /**
     * Returns how long the job is kept from all after the start of a run.
     *
     * @return zero for not beyond the run
     */
    public Duration atLeast() {
        return values.atLeast;
    }

    /**
     * Returns how long a run may take.
     *
     * @return empty for no limit
     */
    public Optional<Duration> atMost() {
        return Optional.ofNullable(values.atMost);
    }

    /**
     * Returns what follows if a runner dies.
     *
     * @return the policy
     */
    public AfterDeath afterDeath() {
        return values.afterDeath;
    }

    /**
     * Returns what happens with fire times that have passed.
     *
     * @return the policy
     */
    public CatchUp catchUp() {
        return values.catchUp;
    }

    /**
     * Checks that a job with these options can follow a schedule: it has a fire time, and {@link #atLeast} is not longer than
     * the time from one of the next ten fire times to the one after it.
     *
     * @param schedule the schedule
     * @param from the time after which fire times count
     * @throws IllegalArgumentException if it cannot; the message says what to change
     */
    public void check(Schedule schedule, Instant from) {
        Instant fireTime = schedule.next(from)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the schedule (" + schedule + ") has no fire time after " + from + ": correct it"));
        for (int i = 0; i < GAPS && !atLeast().isZero(); i++) {
            Optional<Instant> next = schedule.next(fireTime);
            if (next.isEmpty()) {
                return;
            }
            Duration gap = Duration.between(fireTime, next.get());
            if (atLeast().compareTo(gap) > 0) {
                throw new IllegalArgumentException("atLeast is " + atLeast() + ", and the schedule (" + schedule
                        + ") has fire times only " + gap
                        + " apart: the job would be kept from its next run; shorten atLeast");
            }
            fireTime = next.get();
        }
    }

    @Override
    public String toString() {
        return "JobOptions[atLeast " + values.atLeast + ", atMost " + values.atMost + ", after a death "
                + values.afterDeath + ", catch-up " + values.catchUp + ']';
    }
}
