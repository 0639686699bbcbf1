package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.BatonEvent;
import dev.baton.spi.Resource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of callers that enter, leave and give up must be equivalent to a sequential order. The broken
 * variants show that the checker finds such defects.
 */
public class LocalQueueLincheckTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");

    private static ModelCheckingOptions options() {
        // No actors before the parallel part: a race that can happen only once would be missed if an earlier actor
        // decided it.
        return new ModelCheckingOptions()
                .iterations(NIGHTLY ? 50 : 5)
                .invocationsPerIteration(NIGHTLY ? 1_000 : 60)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0);
    }

    /** The invariant when no operation runs: at most one caller has the lock, and no caller waits for a free lock. */
    private static final class Place {
        final AtomicReference<@Nullable Grant> present = new AtomicReference<>();
        final AtomicInteger waiting = new AtomicInteger();
        final AtomicBoolean doubled = new AtomicBoolean();

        void take(Grant grant) {
            if (!present.compareAndSet(null, grant)) {
                doubled.set(true);
            }
        }

        void check() {
            if (doubled.get()) {
                throw new IllegalStateException("two have it");
            }
            if (present.get() == null && waiting.get() > 0) {
                throw new IllegalStateException(waiting.get() + " wait while nobody has it");
            }
        }
    }

    /** A caller whose grant becomes the present one. */
    private static final class Entering extends Waiter {
        private final Place place;

        Entering(Place place) {
            super(InlineDriver.RENEWED, false, true, null, null);
            this.place = place;
            place.waiting.incrementAndGet();
        }

        @Override
        protected String description() {
            return "lincheck";
        }

        @Override
        protected void settled() {
            place.waiting.decrementAndGet();
            if (outcome() instanceof Got got) {
                place.take(got.grant());
            }
        }
    }

    private static String nameOf(Waiter.@Nullable Outcome outcome) {
        return outcome == null ? "waits" : outcome instanceof Waiter.Got ? "got" : "busy";
    }

    /** The local queue: callers enter; the holder leaves, and the next caller gets the lock. */
    public static class LocalQueue {
        private final InlineDriver driver = new InlineDriver();
        private final Place place = new Place();

        @Operation
        public void enter() {
            Outbox out = new Outbox();
            driver.engine.acquire(Resource.lock("x"), new Entering(place), out);
            out.flush(driver);
        }

        @Operation
        public void leave() {
            Grant grant = place.present.getAndSet(null);
            if (grant != null) {
                Outbox out = new Outbox();
                driver.engine.release(grant, new Releasing(null), out);
                out.flush(driver);
            }
        }

        @Validate
        public void check() {
            place.check();
        }
    }

    /** The same without the resource's lock: two callers may find it free, or one may wait for a free lock. */
    public static class BrokenLocalQueue {
        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicInteger holders = new AtomicInteger();

        @Operation
        public void enter() {
            if (holders.get() == 0) {
                holders.incrementAndGet();
            } else {
                waiting.incrementAndGet();
            }
        }

        @Operation
        public void leave() {
            if (holders.get() > 0 && waiting.get() == 0) {
                holders.decrementAndGet();
            } else if (waiting.get() > 0) {
                waiting.decrementAndGet();
            }
        }

        @Validate
        public void check() {
            if (holders.get() > 1 || (holders.get() == 0 && waiting.get() > 0)) {
                throw new IllegalStateException("two have it, or somebody waits for nobody");
            }
        }
    }

    /** The grant slot: the holder leaves while the one caller behind it gives up. */
    public static class GrantSlot {
        private final InlineDriver driver = new InlineDriver();
        private final Waiter behind = new Entering(new Place());
        private final Grant first;

        public GrantSlot() {
            Place place = new Place();
            enter(new Entering(place));
            first = Objects.requireNonNull(place.present.get());
            enter(behind);
        }

        private void enter(Waiter waiter) {
            Outbox out = new Outbox();
            driver.engine.acquire(Resource.lock("x"), waiter, out);
            out.flush(driver);
        }

        @Operation(runOnce = true)
        public String leave() {
            Outbox out = new Outbox();
            Object handedOn = driver.engine.release(first, new Releasing(null), out);
            out.flush(driver);
            return handedOn == null ? "to the store" : "to the caller behind";
        }

        @Operation(runOnce = true)
        public String giveUp() {
            Outbox out = new Outbox();
            driver.engine.giveUp(behind, BatonEvent.Reason.TIMED_OUT, out);
            out.flush(driver);
            return nameOf(behind.outcome());
        }
    }

    /** The same with a slot that is read and then set. */
    public static class BrokenGrantSlot {
        private volatile @Nullable String slot;

        @Operation(runOnce = true)
        public String leave() {
            if (slot == null) {
                slot = "got";
                return "to the caller behind";
            }
            return "to the store";
        }

        @Operation(runOnce = true)
        public String giveUp() {
            if (slot == null) {
                slot = "busy";
                return "busy";
            }
            return "got";
        }
    }

    @Test
    void localQueue_anyInterleaving_looksSequential() {
        options().check(LocalQueue.class);
    }

    @Test
    void grantSlot_anyInterleaving_looksSequential() {
        options().actorsPerThread(1).check(GrantSlot.class);
    }

    @Test
    void brokenLocalQueue_isCaught() {
        assertThatThrownBy(() -> options().check(BrokenLocalQueue.class)).hasMessageContaining("waits for nobody");
    }

    @Test
    void brokenGrantSlot_isCaught() {
        assertThatThrownBy(() -> options().actorsPerThread(1).check(BrokenGrantSlot.class))
                .hasMessageContaining("Invalid execution results");
    }
}
