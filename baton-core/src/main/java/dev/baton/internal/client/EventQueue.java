package dev.baton.internal.client;

import dev.baton.BatonEvent;
import dev.baton.BatonListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Tells a listener of events, in a row, on one thread. Drops those that come while too many wait, and says how many. */
final class EventQueue {
    /** 10,000: more than a listener that is only slow for a moment leaves behind. */
    static final int BOUND = 10_000;

    private final BatonListener listener;
    private final Workers worker;
    private final Consumer<String> warn;
    private final AtomicLong dropped = new AtomicLong();
    private volatile long firstDropNanos;

    /**
     * A queue before a listener.
     *
     * @param listener hears of events
     * @param worker one thread, whose queue takes {@link #BOUND} events
     * @param warn logs a warning, now and then
     */
    EventQueue(BatonListener listener, Workers worker, Consumer<String> warn) {
        this.listener = listener;
        this.worker = worker;
        this.warn = warn;
    }

    void submit(Runnable event) {
        if (!worker.submit(() -> tell(event))) {
            if (dropped.getAndIncrement() == 0) {
                firstDropNanos = SystemClock.INSTANCE.nanos();
            }
            warn.accept("the listener does not keep up: events are dropped, and will be counted in an event");
        }
    }

    private void tell(Runnable event) {
        try {
            event.run();
        } finally {
            if (dropped.get() > 0 && worker.queued() <= BOUND / 2) {
                tellOfDropped();
            }
        }
    }

    private void tellOfDropped() {
        long since = SystemClock.INSTANCE.nanos() - firstDropNanos;
        long count = dropped.getAndSet(0);
        listener.onEvent(new BatonEvent(
                BatonEvent.Type.EVENTS_DROPPED,
                "",
                0,
                Duration.ofNanos(since),
                null,
                null,
                count + " events were dropped, because the listener did not keep up"));
    }
}
