package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.BatonException;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.StoreException;
import dev.baton.tck.FaultyStore.Call;
import dev.baton.tck.FaultyStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/** A request for several names that ends at any of its steps: no name is kept. */
public abstract class ClientContractGroupSteps extends ClientContract {
    /** The numbers of names, by day and at night. */
    private static final int[] FEW = {1, 3, 50};

    private static final int[] MANY = {1, 2, 3, 8, 50};

    /** For subclasses. */
    protected ClientContractGroupSteps() {}

    /** How a request ends. */
    private enum Ending {
        /** The caller is interrupted; a future is cancelled. */
        CANCEL,
        /** Its time is over. */
        TIME_OUT,
        /** A name that it has already is lost: it begins anew, and gets all. */
        LOSS,
        /** Its client is closed. */
        CLOSE
    }

    /** One request, and the step at which it ends. */
    private final class Request {
        private final Mode mode;
        private final Ending ending;
        private final int step;
        private final List<String> names;
        private final FaultyStore store = new FaultyStore();
        private final Events events = new Events();
        private final Baton client = connect(options().listener(events).build(), store);
        private final Baton other;
        private final CompletableFuture<Work<Optional<Lease>>> work = new CompletableFuture<>();
        private final CompletableFuture<Work<Boolean>> closing = new CompletableFuture<>();

        Request(Mode mode, Baton other, Ending ending, int step, int size) {
            this.mode = mode;
            this.other = other;
            this.ending = ending;
            this.step = step;
            // The order of the names in the call is not that in which they are acquired.
            this.names = IntStream.range(0, size)
                    .mapToObj(i -> "n" + (10 + size - 1 - i))
                    .toList();
        }

        private String name(int at) {
            return names.get(names.size() - 1 - at);
        }

        /** How long a request may take that shall time out: a store needs time for the names before the step. */
        private Duration time() {
            return Duration.ofMillis(30 + 5L * step);
        }

        private Optional<Lease> ask() throws InterruptedException {
            DistributedLock all = client.allOf(names.toArray(String[]::new));
            return ending == Ending.TIME_OUT ? mode.tryAcquire(all, time()) : Optional.of(mode.acquire(all));
        }

        private void begin() {
            work.complete(mode.start(this::ask));
        }

        /** Ends it while its call for the name of this step is on its way to the store. */
        void endsInACall() throws Exception {
            store.script((call, number) -> {
                if (call == Call.ACQUIRE && number == step) {
                    end();
                }
                return Fault.NONE;
            });
            begin();
            check(ending == Ending.CLOSE || step == names.size() - 1);
        }

        /** Ends it while another client holds the name of this step. */
        void endsInAQueue() throws Exception {
            Lease busy = mode.acquire(other.lock(name(step)));
            begin();
            if (ending != Ending.TIME_OUT) {
                until("asks for the busy name", () -> store.count(Call.ACQUIRE) > step);
                end();
            }
            if (ending == Ending.LOSS) {
                until("knows of the loss", () -> step == 0 || events.count(BatonEvent.Type.LOST) > 0);
                mode.release(busy);
                assertThat(work.join().get().orElseThrow().isHeld())
                        .as("held after it began anew")
                        .isTrue();
            } else {
                until("has ended", () -> work.join().isDone());
                mode.release(busy);
            }
            check(false);
        }

        private void end() {
            switch (ending) {
                case CANCEL -> cancel();
                case TIME_OUT -> pause(time().plusMillis(20));
                case LOSS -> {
                    if (step > 0) {
                        other.admin().forceReleaseNow(name(step / 2));
                    }
                }
                default ->
                    closing.complete(mode.start(() -> {
                        client.close();
                        return true;
                    }));
            }
        }

        /** A thread that waits for a future has to run to cancel it; without it, the store might grant all names before. */
        private void cancel() {
            work.join().interrupt();
            if (mode == Mode.ASYNC) {
                until("has cancelled its future", () -> work.join().isDone());
            }
        }

        /**
         * Checks the result.
         *
         * @param orGranted whether the last name may have been granted before the request heard of its end
         */
        private void check(boolean orGranted) throws Exception {
            switch (ending) {
                case CANCEL -> assertFailed(InterruptedException.class, orGranted);
                case CLOSE -> {
                    assertFailed(BatonException.class, orGranted);
                    assertThat(closing.join().get()).isTrue();
                }
                case TIME_OUT -> assertFailed(StoreException.class, true);
                // It may be known after the last name has been granted.
                default -> work.join().get().ifPresent(mode::release);
            }
            until("none is left", () -> other.admin().list("", 1).isEmpty());
            client.close();
        }

        private void assertFailed(Class<? extends Exception> as, boolean orGranted) {
            try {
                Optional<Lease> granted = work.join().get();
                assertThat(granted.isEmpty() || orGranted).as("it had ended").isTrue();
                granted.ifPresent(mode::release);
            } catch (Exception failure) {
                assertThat(failure).isInstanceOf(as);
            }
        }
    }

    private static int[] steps(int size) {
        return nightly() || size < 5 ? IntStream.range(0, size).toArray() : new int[] {0, size / 2, size - 1};
    }

    @EachMode
    @DisplayName("P18 P45: allOf_thatEndsAtAnyStep_keepsNone")
    void allOf_thatEndsAtAnyStep_keepsNone(Mode mode) throws Exception {
        Baton other = connect();
        for (int size : nightly() ? MANY : FEW) {
            for (int step : steps(size)) {
                for (Ending ending : Ending.values()) {
                    new Request(mode, other, ending, step, size).endsInACall();
                    new Request(mode, other, ending, step, size).endsInAQueue();
                }
            }
        }
        throughout(WHILE, "none comes later", () -> other.admin().list("", 1).isEmpty());
    }

    @EachMode
    void allOf_asManyTryAtOnce_isGrantedToOne_untilItsLeaseEnds(Mode mode) throws Exception {
        Duration lease = lease();
        String[] names = {"c", "a", "b"};
        Baton other = connect();
        List<DistributedLock> all = new ArrayList<>();
        for (Baton client : List.of(connect(), connect())) {
            DistributedLock one =
                    client.allOf(names).with(LockOptions.defaults().withLeaseTime(lease));
            all.addAll(Collections.nCopies(5, one));
        }
        long asked = System.nanoTime();
        List<Work<Optional<Lease>>> tries = new ArrayList<>();
        for (DistributedLock each : all) {
            tries.add(mode.start(() -> mode.tryAcquire(each, Duration.ZERO)));
        }
        List<Lease> granted = new ArrayList<>();
        for (Work<Optional<Lease>> each : tries) {
            each.get().ifPresent(granted::add);
        }
        assertThat(granted).hasSize(1);
        Lease next = mode.acquire(other.allOf(names));
        assertThat(granted.get(0).isHeld()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - asked))
                .isBetween(
                        // A client that knows by its own clock that one name is over gives back the others.
                        lease.multipliedBy(9).dividedBy(10),
                        lease.plus(fixture().expiryGrain()).plus(BEAT).plus(MARGIN));
        mode.release(next);
    }
}
