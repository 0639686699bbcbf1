package dev.baton.cli.run;

import dev.baton.BatonException;
import dev.baton.Lease;
import dev.baton.StoreException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command again and again, each time under another lease, until a signal ends this. While a command runs, signals
 * are the command's, and this ends after it. Thread-safe; one command at a time.
 */
final class Turns {
    /** The signals that end programs which do not expect them, and so the turns. Others are for a command that runs. */
    private static final Set<String> ENDING = Set.of("INT", "TERM", "HUP", "QUIT");

    private static final long PAUSE_MILLIS = 250;

    private final LeaseOptions options;
    private final String interruption;
    private final Consumer<String> tell;
    private final CompletableFuture<String> over = new CompletableFuture<>();

    private final ReentrantLock state = new ReentrantLock();
    private @Nullable String signalled;
    private @Nullable Watch watch;

    /**
     * Makes turns.
     *
     * @param interruption why a thread can be interrupted while its command runs under a valid lease
     * @param tell receives the reason why a command is ended
     */
    Turns(LeaseOptions options, String interruption, Consumer<String> tell) {
        this.options = options;
        this.interruption = interruption;
        this.tell = tell;
    }

    /**
     * A command's end.
     *
     * @param exitCode the command's
     * @param byBaton whether it was ended because its lease was lost or its time was over
     * @param bySignal whether this process got a signal that ends it while the command ran
     */
    record Ended(int exitCode, boolean byBaton, boolean bySignal) {}

    /** Takes a signal. */
    void receive(String signal) {
        boolean ending = ENDING.contains(signal);
        boolean runs;
        state.lock();
        try {
            if (ending && signalled == null) {
                signalled = signal;
            }
            runs = watch != null;
            if (watch != null) {
                watch.receive(signal);
            }
        } finally {
            state.unlock();
        }
        if (ending && !runs) {
            over.complete(signal);
        }
    }

    /** Runs an action when a signal has ended the turns: on the thread of the last command, if one ran. */
    @SuppressWarnings("FutureReturnValueIgnored") // runs at the end, and nothing waits for it
    void onEnd(Runnable action) {
        over.thenRun(action);
    }

    /** Waits until a signal has ended the turns, and returns it. */
    String awaitEnd() {
        return over.join();
    }

    /** Returns the signal that has ended the turns; null if none has. */
    @Nullable
    String endedBy() {
        return over.getNow(null);
    }

    /**
     * Runs a command to its end.
     *
     * @throws InterruptedException if it was not begun, because the lease is lost or the turns are over
     */
    Ended run(Lease lease, Command command) throws InterruptedException {
        Terms terms = confirmed(lease);
        Watch present =
                new Watch(lease, terms, () -> Guardian.start(command.mark(), terms.grace()), interruption, tell);
        begin(present);
        boolean bySignal = false;
        int exitCode;
        try {
            exitCode = present.over(command);
        } finally {
            bySignal = end();
        }
        return new Ended(exitCode, present.hasEndedIt(), bySignal);
    }

    /** Nothing has run, so a store that is late costs nothing but time. */
    private Terms confirmed(Lease lease) throws InterruptedException {
        while (lease.isHeld() && !over.isDone()) {
            try {
                return Terms.of(lease, options.leaseTime(), options.killAfter()).orElseThrow(InterruptedException::new);
            } catch (StoreException late) {
                pause();
            } catch (BatonException lost) {
                break;
            }
        }
        throw new InterruptedException();
    }

    private static void pause() {
        new CompletableFuture<Void>()
                .completeOnTimeout(null, PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                .join();
    }

    private void begin(Watch present) {
        state.lock();
        try {
            watch = present;
            if (signalled != null) {
                present.receive(signalled);
            }
        } finally {
            state.unlock();
        }
    }

    /** Returns whether the turns are over. */
    private boolean end() {
        String signal;
        state.lock();
        try {
            watch = null;
            signal = signalled;
        } finally {
            state.unlock();
        }
        if (signal == null) {
            return false;
        }
        over.complete(signal);
        // What ends the turns interrupts this thread, too; but its run is over, and is still to be recorded.
        boolean unused = Thread.interrupted();
        return true;
    }
}
