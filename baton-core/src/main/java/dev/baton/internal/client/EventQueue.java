package dev.baton.internal.client;

import dev.baton.BatonEvent;
import dev.baton.BatonListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Reports events to a listener, in order, on one thread. If too many wait, drops new ones and logs how many. */
final class EventQueue {
    /** 10,000: more than the backlog of a listener that is slow for a moment. */
    static final int BOUND = 10_000;

    private final BatonListener listener;
    private final Workers worker;
    private final Consumer<String> warn;
    private final AtomicLong dropped = new AtomicLong();
    private volatile long firstDropNanos;

    /**
     * Creates the queue of a listener.
     *
     * @param listener receives events
     * @param worker one thread, whose queue takes {@link #BOUND} events
     * @param warn logs a warning, at a limited rate
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
