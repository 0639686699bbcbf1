package dev.baton.cli.run;

import dev.baton.Lease;
import dev.baton.LossCause;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Watches a command that runs under a lease until it has ended, and makes sure that it ends before the lease. */
final class Watch {
    /** How long the guardian may take to end, in addition to the command's grace. */
    private static final Duration KILLING = Duration.ofSeconds(5);

    /** How long the reason of a loss may take to be heard. */
    private static final Duration HEARING = Duration.ofMillis(500);

    private final Lease lease;
    private final Terms terms;
    private final Supplier<Guardian> guardians;
    private final String interruption;
    private final Consumer<String> tell;
    private final CompletableFuture<LossCause> loss = new CompletableFuture<>();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private Guardian guardian;
    private boolean lost;

    private sealed interface Event {}

    private record Ended(int exitCode) implements Event {}

    private record Lost(LossCause cause) implements Event {}

    private record Signalled(String signal) implements Event {}

    private record Interrupted() implements Event {}

    /**
     * Makes a watch.
     *
     * @param terms for how long the lease is certain
     * @param guardians starts guardians
     * @param interruption why the calling thread can be interrupted while the lease is held: then the command is ended
     * @param tell receives the reason why the command is ended
     */
    Watch(Lease lease, Terms terms, Supplier<Guardian> guardians, String interruption, Consumer<String> tell) {
        this.lease = lease;
        this.terms = terms;
        this.guardians = guardians;
        this.interruption = interruption;
        this.tell = tell;
        this.guardian = guardians.get();
        lease.onLost(loss::complete);
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
     * Starts the command, and waits until it has ended. An interrupt of this thread ends the command, and is not passed
     * on: the caller learns from {@link #hasEndedIt}.
     *
     * @return the command's exit code
     */
    int over(Command command) {
        try {
            // The guardian must watch before the command starts.
            guardian.until(sure());
            Process process = command.start();
            guardian.guard(process.toHandle());
            hearOfTheEndOf(process);
            int exitCode = stay(process.toHandle());
            makeSure();
            return exitCode;
        } finally {
            guardian.close();
        }
    }

    /** Returns whether the command was ended, because the lock was lost or the thread interrupted. */
    boolean hasEndedIt() {
        return lost;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // cannot fail
    private void hearOfTheEndOf(Process process) {
        process.onExit().thenAccept(ended -> events.add(new Ended(ended.exitValue())));
    }

    private int stay(ProcessHandle process) {
        while (true) {
            Event event = next();
            if (event instanceof Ended ended) {
                return ended.exitCode;
            }
            if (event instanceof Signalled signalled) {
                guardian.handOn(signalled.signal);
            } else if (event instanceof Lost known) {
                end(() -> why(known.cause));
            } else if (event instanceof Interrupted) {
                end(this::whyInterrupted);
            }
            confirm(process);
        }
    }

    private @Nullable Event next() {
        try {
            return events.poll(untilTheNextLook().toMillis() + 1, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ended) {
            return new Interrupted();
        }
    }

    /** The loss of a lease can interrupt the thread that works under it before the loss itself is heard of. */
    private String whyInterrupted() {
        if (lease.isHeld()) {
            return interruption;
        }
        return loss.thenApply(Watch::why)
                .completeOnTimeout("the lock was lost", HEARING.toMillis(), TimeUnit.MILLISECONDS)
                .join();
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
            end(() -> "the store has not answered for too long, and the lock is about to end");
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

    private void end(Supplier<String> why) {
        if (!lost) {
            lost = true;
            guardian.end();
            tell.accept(why.get() + "; ending the command");
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
     * Waits for the guardian. If it has ended the command, no process that the command started is alive, except one that
     * cannot be killed, which is reported.
     */
    private void makeSure() {
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
    }
}
