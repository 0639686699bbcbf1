package dev.baton.internal.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects of an event, as data, for after the locks are released: wake callers, send commands, set the timer, run
 * user code. Belongs to one thread.
 */
public final class Outbox {
    private static final System.Logger LOG = System.getLogger("dev.baton");

    private static final long NEVER = Long.MIN_VALUE;

    private @Nullable Waiter firstWoken;
    private @Nullable List<Waiter> moreWoken;
    private @Nullable Command firstCommand;
    private @Nullable List<Command> moreCommands;
    private @Nullable List<Call> calls;

    /** When to wake the engine; {@link #NEVER} for not at all. */
    private long timerNanos = NEVER;

    private record Call(Driver.Kind kind, Runnable userCode) {}

    void wake(Waiter waiter) {
        if (firstWoken == null) {
            firstWoken = waiter;
        } else {
            moreWoken = append(moreWoken, waiter);
        }
    }

    void send(Command command) {
        if (firstCommand == null) {
            firstCommand = command;
        } else {
            moreCommands = append(moreCommands, command);
        }
    }

    /** Has the engine's tick run at this monotonic time at the latest. */
    void wakeAt(long nanos) {
        if (timerNanos == NEVER || nanos - timerNanos < 0) {
            timerNanos = nanos == NEVER ? nanos + 1 : nanos;
        }
    }

    void call(Driver.Kind kind, Runnable userCode) {
        calls = append(calls, new Call(kind, userCode));
    }

    /** Does all the work, with the commands on the driver's threads. */
    public void flush(Driver driver) {
        Command command = flushButFirst(driver);
        if (command != null) {
            send(command, driver);
        }
    }

    /**
     * Does all the work but the first command, and returns that command to the caller. A thread that waits for the
     * answer anyway performs it itself, because a switch to another thread costs more than a near store. If one item
     * fails, the others are still done.
     */
    public @Nullable Command flushButFirst(Driver driver) {
        if (firstWoken != null) {
            wake(firstWoken, driver);
        }
        if (moreWoken != null) {
            moreWoken.forEach(waiter -> wake(waiter, driver));
        }
        if (moreCommands != null) {
            moreCommands.forEach(command -> send(command, driver));
        }
        if (timerNanos != NEVER) {
            setTimer(driver);
        }
        if (calls != null) {
            calls.forEach(each -> call(each, driver));
        }
        return firstCommand;
    }

    private static void wake(Waiter waiter, Driver driver) {
        try {
            waiter.settled();
        } catch (Throwable defect) {
            report(defect, driver);
        }
    }

    private static void send(Command command, Driver driver) {
        try {
            driver.send(command);
        } catch (Throwable defect) {
            report(defect, driver);
        }
    }

    private void setTimer(Driver driver) {
        try {
            driver.wakeAt(timerNanos);
        } catch (Throwable defect) {
            report(defect, driver);
        }
    }

    private static void call(Call each, Driver driver) {
        try {
            driver.call(each.kind(), each.userCode());
        } catch (Throwable defect) {
            report(defect, driver);
        }
    }

    private static void report(Throwable defect, Driver driver) {
        try {
            driver.call(
                    Driver.Kind.LOG,
                    () -> LOG.log(System.Logger.Level.ERROR, "one step failed; the others go on", defect));
        } catch (Throwable again) {
            // Going on matters more than the report.
        }
    }

    /** Forgets the commands, because their caller is gone. */
    void dropCommands() {
        firstCommand = null;
        moreCommands = null;
    }

    private static <T> List<T> append(@Nullable List<T> list, T item) {
        List<T> longer = list == null ? new ArrayList<>(4) : list;
        longer.add(item);
        return longer;
    }
}
