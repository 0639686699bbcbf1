package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import dev.baton.spi.Resource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Base of tests that drive the engine by hand: no threads, and time moves only when a test moves it. */
abstract class EngineCase {
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1_000 * MILLI;
    private static final long LOOK = 250 * MILLI;

    final InlineDriver driver = new InlineDriver();

    static final class Caller extends Waiter {
        /** Whether the grant was held when its caller was woken. */
        boolean heldWhenTold;

        private String who = "test";

        Caller(HoldRequest request, boolean tryOnly, boolean timed) {
            this(request, tryOnly, timed, null);
        }

        Caller(HoldRequest request, boolean tryOnly, boolean timed, @Nullable Thread thread) {
            super(request, tryOnly, timed, thread, null);
        }

        /** Gives it another description than the others have. */
        Caller describedAs(String other) {
            who = other;
            return this;
        }

        @Override
        protected String description() {
            return who;
        }

        @Override
        protected void settled() {
            Grant grant = grant();
            heldWhenTold = grant != null && grant.isHeld();
        }

        @Nullable
        Grant grant() {
            return outcome() instanceof Got got ? got.grant() : null;
        }
    }

    Caller ask(String name, HoldRequest request, boolean tryOnly) {
        return ask(name, new Caller(request, tryOnly, true));
    }

    Caller ask(String name, Caller caller) {
        return ask(Resource.lock(name), caller);
    }

    Caller ask(Resource resource, Caller caller) {
        step(out -> driver.engine.acquire(resource, caller, out));
        return caller;
    }

    Grant acquire(String name, HoldRequest request) {
        return Objects.requireNonNull(ask(name, request, false).grant());
    }

    void release(Grant grant) {
        step(out -> driver.engine.release(grant, new Releasing(null), out));
    }

    Command extend(Grant grant, long nanos) {
        Outbox out = new Outbox();
        Command command = Objects.requireNonNull(driver.engine.extend(grant, nanos, out));
        out.flush(driver);
        return command;
    }

    void step(Consumer<Outbox> event) {
        Outbox out = new Outbox();
        event.accept(out);
        out.flush(driver);
    }

    void pass(long nanos) {
        driver.nanos += nanos;
        step(driver.engine::tick);
    }

    /** Lets time pass from one engine timer to the next, up to a limit. */
    void passByTimers(long nanos) {
        long end = driver.nanos + nanos;
        while (driver.wakeNanos <= end) {
            driver.wake();
        }
        driver.nanos = Math.max(driver.nanos, end);
    }

    /** Lets time pass from one engine timer to the next, until a caller has the lock. */
    void passUntilGranted(Caller caller) {
        for (int i = 0; i < 100_000 && caller.grant() == null && driver.wakeNanos < EngineSettings.FAR_NANOS; i++) {
            driver.wake();
        }
        Objects.requireNonNull(caller.grant(), "nothing more is due, and the caller has nothing");
    }

    List<BatonEvent> told(BatonEvent.Type... types) {
        List<BatonEvent.Type> wanted = List.of(types);
        return driver.events.stream()
                .filter(event -> wanted.contains(event.type()))
                .toList();
    }

    /** Lets time pass while the client checks its clocks four times a second, as in production. */
    void live(long nanos) {
        for (long end = driver.nanos + nanos; driver.nanos < end; ) {
            driver.nanos += LOOK;
            step(driver.engine::look);
            if (driver.wakeNanos <= driver.nanos) {
                driver.wake();
            }
        }
    }

    Deque<Command> holdAnswersBack() {
        Deque<Command> open = new ArrayDeque<>();
        driver.held = open;
        return open;
    }
}
