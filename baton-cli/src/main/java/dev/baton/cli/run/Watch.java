package dev.baton.cli.run;

import dev.baton.Lease;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.cli.console.DurationConverter;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.HostTime;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Watches a command that runs under a lease until it has ended, and makes sure that it ends before the lease. */
final class Watch {
    /** How long the guardian may take to end, in addition to the command's grace. */
    private static final Duration KILLING = Duration.ofSeconds(5);

    private final Lease lease;
    private final Terms terms;
    private final Supplier<Guardian> guardians;
    private final BooleanSupplier lateRelease;
    private final Consumer<String> tell;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private Guardian guardian;
    private boolean lost;

    private sealed interface Event {}

    private record Ended(int exitCode) implements Event {}

    private record Lost(LossCause cause) implements Event {}

    private record Signalled(String signal) implements Event {}

    /**
     * Makes a watch.
     *
     * @param terms for how long the lease is certain
     * @param guardians starts guardians
     * @param lateRelease waits for a release that was not answered in time, and returns whether the lock is free then
     * @param tell receives the reason why the command is ended
     */
    Watch(Lease lease, Terms terms, Supplier<Guardian> guardians, BooleanSupplier lateRelease, Consumer<String> tell) {
        this.lease = lease;
        this.terms = terms;
        this.guardians = guardians;
        this.lateRelease = lateRelease;
        this.tell = tell;
        this.guardian = guardians.get();
        lease.onLost(cause -> events.add(new Lost(cause)));
    }

    /** Takes a signal for the command. As in the kernel, a signal that is still pending is not added twice. */
    void receive(String signal) {
        Signalled event = new Signalled(signal);
        if (!events.contains(event)) {
            events.add(event);
        }
    }

    /**
     * Starts the command, and waits until it has ended and the lock is released.
     *
     * @param atLeast for how long from now the lock is kept from all others, even if the command ends sooner
     * @return the command's exit code, or {@link ExitCode#RUN_LOST}
     */
    int over(Command command, Duration atLeast) throws InterruptedException {
        HostTime.Stopwatch running = new HostTime.Stopwatch();
        try {
            // The guardian must watch before the command starts.
            guardian.until(sure());
            Process process = command.start();
            guardian.guard(process.toHandle());
            hearOfTheEndOf(process);
            int exitCode = stay(process.toHandle());
            if (isLost()) {
                return ExitCode.RUN_LOST;
            }
            return release(exitCode, lease.isHeld(), atLeast.minus(running.elapsed()));
        } finally {
            guardian.close();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // cannot fail
    private void hearOfTheEndOf(Process process) {
        process.onExit().thenAccept(ended -> events.add(new Ended(ended.exitValue())));
    }

    private int stay(ProcessHandle process) throws InterruptedException {
        while (true) {
            Event event = events.poll(untilTheNextLook().toMillis() + 1, TimeUnit.MILLISECONDS);
            if (event instanceof Ended ended) {
                return ended.exitCode;
            }
            if (event instanceof Signalled signalled) {
                guardian.handOn(signalled.signal);
            } else if (event instanceof Lost loss) {
                end(why(loss.cause));
            }
            confirm(process);
        }
    }

    /** Returns the time until the next check, which is not later than the time to end the command. */
    private Duration untilTheNextLook() {
        Duration left = sure().minus(terms.last());
        return lost || left.isNegative() ? terms.tick() : Terms.shorter(terms.tick(), left);
    }

    private void confirm(ProcessHandle process) {
        Duration remaining = sure();
        if (lost) {
            return;
        }
        if (remaining.compareTo(terms.last()) <= 0 && lease.isHeld()) {
            end("the store has not answered for too long, and the lock is about to end");
            return;
        }
        if (!guardian.isAlive()) {
            guardian.close();
            guardian = guardians.get();
            guardian.guard(process);
        }
        guardian.until(remaining);
    }

    /** Returns how long the lock is certain, less the time that it takes to end a command. */
    private Duration sure() {
        Duration remaining = lease.remaining().minus(terms.reserve());
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    private void end(String why) {
        if (!lost) {
            lost = true;
            tell.accept(why + "; ending the command");
            guardian.end();
        }
    }

    private static String why(LossCause cause) {
        return switch (cause) {
            case EXPIRED -> "the lock was lost: the store let it expire";
            case REVOKED -> "the lock was taken away by force";
            case STORE_UNREACHABLE -> "the lock was lost: the store has not answered for too long";
            case CLIENT_CLOSED -> "the lock was given up: this program is ending";
        };
    }

    /**
     * Returns whether the command was ended because the lock was lost. If so, no process that it started is alive,
     * except one that cannot be killed, which has been reported.
     */
    private boolean isLost() throws InterruptedException {
        if (!lost) {
            guardian.dismiss();
        }
        OptionalInt guarded = guardian.awaitEnd(terms.grace().plus(KILLING));
        if (guarded.isEmpty()) {
            tell.accept("the command has ended, but something that it started cannot be killed");
        }
        if (!lost && guarded.orElse(0) == Guardian.HAS_ENDED_THE_COMMAND) {
            lost = true;
            tell.accept("this program was stopped for so long that its guardian has ended the command");
        }
        return lost;
    }

    private int release(int exitCode, boolean wasHeld, Duration rest) {
        ReleaseOutcome outcome = rest.isNegative() ? lease.release() : lease.releaseAndKeep(rest);
        if (outcome == ReleaseOutcome.UNKNOWN) {
            if (!lateRelease.getAsBoolean()) {
                tell.accept("the store did not answer the release: the lock ends with its lease, in at most "
                        + DurationConverter.text(terms.leaseTime()));
            }
        } else if (outcome != ReleaseOutcome.RELEASED && !wasHeld) {
            tell.accept("the lock was lost before the command ended: somebody else may have run at the same time");
            return ExitCode.RUN_LOST;
        }
        return exitCode;
    }
}
