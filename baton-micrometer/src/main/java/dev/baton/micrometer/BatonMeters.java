package dev.baton.micrometer;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.BatonListener;
import dev.baton.Job;
import dev.baton.LossCause;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times the locks of one client: a listener for {@link dev.baton.BatonOptions.Builder#listener}.
 *
 * <pre>{@code
 * BatonMeters meters = BatonMeters.of(registry);
 * Baton baton = Baton.connect(uri, BatonOptions.builder().listener(meters).build());
 * meters.watch(baton);
 * }</pre>
 *
 * <p>Meters, with times in the registry's own unit:
 *
 * <ul>
 *   <li>{@code baton.lock.wait}, timer: from the request until the caller has the lock or gives up. Tag {@code outcome}:
 *       {@code acquired}, {@code handed-off}, {@code busy}, {@code timed-out}, {@code cancelled}, {@code failed}
 *   <li>{@code baton.lock.hold}, timer: from the grant until the end. Tag {@code outcome}: {@code released}, {@code lost}
 *   <li>{@code baton.lock.handoffs}, counter: callers that got the lock from another caller of this client
 *   <li>{@code baton.lock.lost}, counter: leases that were over before their release. Tag {@code cause}: a {@link
 *       LossCause} in lower case, with hyphens
 *   <li>{@code baton.lock.held}, {@code baton.lock.waiting}, gauges: leases and waiting callers now; only after {@link
 *       #watch}
 *   <li>{@code baton.store.silent}, {@code baton.store.grace}, gauges: 1 while the store answers nothing, or is in a grace
 *       period; otherwise 0
 *   <li>{@code baton.events.dropped}, counter: events that came too fast; the meters above lack them
 * </ul>
 *
 * <p>The lock's name is no tag, because names often contain numbers of orders or users, and each value of a tag is a time
 * series for ever. {@link Builder#lockTag} maps names to few values.
 *
 * <p>Thread-safe. Meters are updated by the client's thread for events, so they lag behind by microseconds, and cost
 * callers nothing but the event.
 *
 * @since 0.1
 */
public final class BatonMeters implements BatonListener {
    private static final String LOCK = "lock";
    private static final String ACQUIRED = "acquired";
    private static final String HANDED_OFF = "handed-off";
    private static final String OUTCOME = "outcome";

    private final MeterRegistry registry;
    private final Tags tags;
    private final @Nullable Function<String, String> lockTag;
    private final @Nullable BatonListener next;
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();
    private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

    /** The lock tags whose meters are registered. */
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    private final AtomicInteger silent = new AtomicInteger();
    private final AtomicInteger grace = new AtomicInteger();

    /** A meter of one lock tag, and of one outcome or cause, which is empty if the meter has none. */
    private record Key(String meter, String lock, String how) {}

    private BatonMeters(Builder builder) {
        this.registry = builder.registry;
        this.tags = builder.tags;
        this.lockTag = builder.lockTag;
        this.next = builder.next;
        gauge("baton.store.silent", "1 while the store answers nothing", silent);
        gauge("baton.store.grace", "1 while the store is in a grace period", grace);
        // Registered at once, so that a rate over it exists before the first event was dropped.
        dropped();
        if (lockTag == null) {
            prepare("");
        }
    }

    /**
     * Registers all meters of a lock tag. A series that began with its first event would hide that event from every rate and
     * increase, and with it the first lost lease.
     */
    private void prepare(String lock) {
        known.add(lock);
        waits(lock, ACQUIRED);
        waits(lock, HANDED_OFF);
        for (BatonEvent.Reason reason : BatonEvent.Reason.values()) {
            waits(lock, text(reason));
        }
        holds(lock, "released");
        holds(lock, "lost");
        handOffs(lock);
        for (LossCause cause : LossCause.values()) {
            losses(lock, cause);
        }
        jobRuns(lock, "ran");
        jobRuns(lock, "failed");
        missedRuns(lock);
    }

    private void gauge(String name, String description, AtomicInteger state) {
        Gauge.builder(name, state, AtomicInteger::get)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /**
     * Returns meters without a tag for the lock.
     *
     * @param registry where they are registered
     * @return the listener
     */
    public static BatonMeters of(MeterRegistry registry) {
        return builder(registry).build();
    }

    /**
     * Begins meters with settings.
     *
     * @param registry where they are registered
     * @return the builder
     */
    public static Builder builder(MeterRegistry registry) {
        return new Builder(registry);
    }

    /**
     * Registers the gauges of held leases and waiting callers. They refer to the client weakly, and show nothing when it has
     * been collected.
     *
     * @param baton the client that this object listens to
     */
    public void watch(Baton baton) {
        Gauge.builder("baton.lock.held", baton, Baton::heldLeases)
                .description("Leases that are held now")
                .tags(tags)
                .register(registry);
        Gauge.builder("baton.lock.waiting", baton, Baton::waitingCallers)
                .description("Callers that wait for a lock now")
                .tags(tags)
                .register(registry);
    }

    /**
     * Registers the gauge of a job that is overdue, in seconds. It refers to the schedule weakly.
     *
     * @param job the job's name, which becomes a tag
     * @param scheduled the schedule in this client
     */
    public void watch(String job, Job.Scheduled scheduled) {
        Gauge.builder("baton.job.overdue", scheduled, each -> each.overdue().toMillis() / 1_000.0)
                .description("How long a fire time has passed that no client has run or is running")
                .baseUnit("seconds")
                .tags(tags)
                .tag("job", job)
                .register(registry);
    }

    @Override
    public void onEvent(BatonEvent event) {
        count(event);
        if (next != null) {
            next.onEvent(event);
        }
    }

    private void count(BatonEvent event) {
        switch (event.type()) {
            case ACQUIRED -> {
                waited(event, ACQUIRED);
                // The store grants: also if the event that said so was dropped.
                silent.set(0);
                grace.set(0);
            }
            case HANDED_OFF -> {
                waited(event, HANDED_OFF);
                handOffs(lockOf(event)).increment();
            }
            case GAVE_UP -> waited(event, text(Objects.requireNonNull(event.reason())));
            case RELEASED -> holds(lockOf(event), "released").record(event.elapsed());
            case LOST -> {
                holds(lockOf(event), "lost").record(event.elapsed());
                losses(lockOf(event), Objects.requireNonNull(event.lossCause())).increment();
            }
            case STORE_SILENT -> silent.set(1);
            case STORE_BACK -> silent.set(0);
            case GRACE_BEGAN -> grace.set(1);
            case GRACE_ENDED -> grace.set(0);
            case EVENTS_DROPPED -> dropped().increment(numberIn(event));
            case JOB_RAN -> jobRuns(lockOf(event), "ran").record(event.elapsed());
            case JOB_FAILED -> jobRuns(lockOf(event), "failed").record(event.elapsed());
            case JOB_MISSED -> missedRuns(lockOf(event)).increment(numberIn(event));
            case RENEWED, ABANDONED, SELF_WAIT -> {}
        }
    }

    private void waited(BatonEvent event, String outcome) {
        String lock = lockOf(event);
        if (!known.contains(lock)) {
            prepare(lock);
        }
        waits(lock, outcome).record(event.elapsed());
    }

    private Timer waits(String lock, String outcome) {
        return timer("baton.lock.wait", lock, outcome, "From the request until the caller has the lock or gives up");
    }

    private Timer holds(String lock, String outcome) {
        return timer("baton.lock.hold", lock, outcome, "From the grant until the release or the loss");
    }

    private Counter handOffs(String lock) {
        return counter("baton.lock.handoffs", lock, "", "Callers that got the lock from another caller of this client");
    }

    private Counter losses(String lock, LossCause cause) {
        return counter("baton.lock.lost", lock, text(cause), "Leases that were over before their release");
    }

    private Timer jobRuns(String job, String outcome) {
        return timer("baton.job.run", job, outcome, "From the start of a job's run to its end");
    }

    private Counter missedRuns(String job) {
        return counter("baton.job.missed", job, "", "Fire times that passed without a run");
    }

    private Timer timer(String meter, String lock, String outcome, String description) {
        return timers.computeIfAbsent(
                new Key(meter, lock, outcome),
                key -> Timer.builder(meter)
                        .description(description)
                        .tags(tagsOf(key, OUTCOME))
                        .register(registry));
    }

    private Counter counter(String meter, String lock, String cause, String description) {
        return counters.computeIfAbsent(
                new Key(meter, lock, cause),
                key -> Counter.builder(meter)
                        .description(description)
                        .tags(tagsOf(key, "cause"))
                        .register(registry));
    }

    private Counter dropped() {
        return Counter.builder("baton.events.dropped")
                .description("Events that came too fast to be counted")
                .tags(tags)
                .register(registry);
    }

    /** The detail of the event begins with the number. */
    private static double numberIn(BatonEvent event) {
        String detail = event.detail();
        int end = 0;
        while (end < detail.length() && Character.isDigit(detail.charAt(end))) {
            end++;
        }
        return end == 0 ? 1 : Double.parseDouble(detail.substring(0, end));
    }

    private String lockOf(BatonEvent event) {
        return lockTag == null ? "" : lockTag.apply(event.name());
    }

    private List<Tag> tagsOf(Key key, String how) {
        List<Tag> all = new ArrayList<>();
        tags.forEach(all::add);
        if (lockTag != null) {
            all.add(Tag.of(LOCK, key.lock()));
        }
        if (!key.how().isEmpty()) {
            all.add(Tag.of(how, key.how()));
        }
        return all;
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Settings of meters. Not thread-safe. */
    public static final class Builder {
        private final MeterRegistry registry;
        private Tags tags = Tags.empty();
        private @Nullable Function<String, String> lockTag;
        private @Nullable BatonListener next;

        private Builder(MeterRegistry registry) {
            this.registry = registry;
        }

        /**
         * Gives each meter the tag {@code lock}.
         *
         * @param function from a lock's name to the tag's value. It must have few results, such as the part before a colon;
         *     the client's thread for events calls it
         * @return this builder
         */
        public Builder lockTag(Function<String, String> function) {
            this.lockTag = function;
            return this;
        }

        /**
         * Gives each meter these tags. Two clients with one registry need different ones, as for the store: otherwise they
         * share their meters, and the gauges show the first client.
         *
         * @param added the tags
         * @return this builder
         */
        public Builder tags(Iterable<Tag> added) {
            this.tags = tags.and(added);
            return this;
        }

        /**
         * Passes each event on, because a client has one listener.
         *
         * @param listener called after the meters were updated
         * @return this builder
         */
        public Builder next(BatonListener listener) {
            this.next = listener;
            return this;
        }

        /**
         * Registers the meters, and returns the listener. With {@link #lockTag}, the meters of a tag are registered with its
         * first event. The gauges of the client are registered by {@link #watch}.
         *
         * @return the listener
         */
        public BatonMeters build() {
            return new BatonMeters(this);
        }
    }
}
