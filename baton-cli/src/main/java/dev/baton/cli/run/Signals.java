package dev.baton.cli.run;

import dev.baton.cli.console.ExitCode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Signals that are sent to this process while a command runs: they are meant for the command. Java can receive them
 * only through this class of module {@code jdk.unsupported}, and SIGQUIT only through {@link QuitSignal}.
 */
final class Signals {
    /** The signals that programs use. A signal that was ignored at the start stays ignored, also in the command. */
    private static final List<String> HANDED_ON = List.of("INT", "TERM", "HUP", "USR1", "USR2", "ALRM");

    /** The JVM reserves it. */
    private static final String QUIT = "QUIT";

    /** How much later than the command this process may hear of a signal that a terminal sends to both. */
    private static final long LATE_MILLIS = 1_000;

    private final Map<String, CountDownLatch> received =
            HANDED_ON.stream().collect(Collectors.toMap(name -> name, name -> new CountDownLatch(1)));
    private volatile Consumer<String> receiver = signal -> raise("INT");

    /** Until {@link #take}, a signal ends this process; SIGQUIT ends it like SIGINT. */
    Signals() {
        QuitSignal.onEach(() -> receiver.accept(QUIT));
    }

    /** Passes signals on from now on: they no longer end this process. */
    void take(Consumer<String> commands) {
        receiver = commands;
        for (String name : HANDED_ON) {
            try {
                Signal.handle(new Signal(name), signal -> {
                    Objects.requireNonNull(received.get(name)).countDown();
                    commands.accept(name);
                });
            } catch (IllegalArgumentException reserved) {
                // The JVM reserves this signal, or the system does not have it.
            }
        }
    }

    /** Returns the exit code of a program that a signal ends. */
    static int exitCode(String signal) {
        int quit = 3;
        return ExitCode.SIGNALLED + (signal.equals(QUIT) ? quit : new Signal(signal).getNumber());
    }

    /**
     * Ends this process with the signal that ended the command, if that signal was sent to both. A shell that runs a
     * script stops at Ctrl-C only if the program that it started died of the signal.
     *
     * @param exitCode 128 + the signal's number; any other value does nothing
     */
    void dieLike(int exitCode) {
        for (String name : HANDED_ON) {
            if (isOf(exitCode, name) && hasArrived(name)) {
                Signal.handle(new Signal(name), SignalHandler.SIG_DFL);
                raise(name);
            }
        }
    }

    private static boolean isOf(int exitCode, String name) {
        try {
            return exitCode == exitCode(name);
        } catch (IllegalArgumentException unknownHere) {
            return false;
        }
    }

    /** On a busy machine the command may die of a signal before the thread of this JVM runs that hears of it. */
    private boolean hasArrived(String name) {
        try {
            return Objects.requireNonNull(received.get(name)).await(LATE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Sends the signal with bash's {@code kill}: Java raises only signals that it handles, and does not end its own process. A
     * small system has bash, which the guardian needs, but no program {@code kill}.
     */
    private static void raise(String name) {
        try {
            String self = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder("bash", "-c", "kill -s \"$0\" \"$1\"", name, self)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException unsupported) {
            // The exit code carries the same information.
        }
    }
}
