package dev.baton.internal.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a step of a state machine wants done, once its lock is let go: wake callers, run user code, send commands.
 * Belongs to one thread.
 */
public final class Outbox {
    private @Nullable Waiter firstWoken;
    private @Nullable List<Waiter> moreWoken;
    private @Nullable Command firstCommand;
    private @Nullable List<Command> moreCommands;
    private @Nullable List<Runnable> callbacks;

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

    void callback(Runnable userCode) {
        callbacks = append(callbacks, userCode);
    }

    /** Does it all, commands by the driver's threads. */
    public void flush(Driver driver) {
        Command command = flushButFirst(driver);
        if (command != null) {
            driver.send(command);
        }
    }

    /**
     * Does it all but the first command, which is the caller's own: a thread that waits for its answer anyway performs
     * it itself, because a hop to another thread costs more than a near store.
     */
    public @Nullable Command flushButFirst(Driver driver) {
        if (firstWoken != null) {
            firstWoken.settled();
        }
        if (moreWoken != null) {
            moreWoken.forEach(Waiter::settled);
        }
        // User code last: whatever its executor does must not keep a renewal back.
        if (moreCommands != null) {
            moreCommands.forEach(driver::send);
        }
        if (callbacks != null) {
            callbacks.forEach(driver::callback);
        }
        return firstCommand;
    }

    /** Forgets the commands: whoever wanted them is gone. */
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
