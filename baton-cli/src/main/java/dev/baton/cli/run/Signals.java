package dev.baton.cli.run;

import dev.baton.cli.ExitCode;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Signals that are sent to this process while a command runs: they are the command's. Java has no other way to hear of
 * them than this class of module {@code jdk.unsupported}; of SIGQUIT it hears by {@link QuitSignal}.
 */
final class Signals {
    /** Those that mean something to programs. What was ignored at the start stays so, in the command as well. */
    private static final List<String> HANDED_ON = List.of("INT", "TERM", "HUP", "USR1", "USR2", "ALRM");

    private final Set<String> received = ConcurrentHashMap.newKeySet();
    private volatile Consumer<String> receiver = signal -> raise("INT");

    /** Until {@link #take} a signal ends this process, SIGQUIT as SIGINT does. */
    Signals() {
        QuitSignal.onEach(() -> receiver.accept("QUIT"));
    }

    /** From now on signals do not end this process. */
    void take(Consumer<String> commands) {
        receiver = commands;
        for (String name : HANDED_ON) {
            try {
                Signal.handle(new Signal(name), signal -> {
                    received.add(name);
                    commands.accept(name);
                });
            } catch (IllegalArgumentException reserved) {
                // The JVM keeps it for itself, or the system has none of that name.
            }
        }
    }

    /**
     * Ends this process as the command ended, if a signal was sent to both: a shell that runs a script stops at Ctrl-C
     * only if the program that it started died of it.
     *
     * @param exitCode 128 + the signal's number, or anything else, which does nothing
     */
    void dieLike(int exitCode) {
        for (String name : received) {
            if (exitCode == ExitCode.SIGNALLED + new Signal(name).getNumber()) {
                Signal.handle(new Signal(name), SignalHandler.SIG_DFL);
                raise(name);
            }
        }
    }

    /**
     * Java raises no signal that it does not handle, and ends no process that is its own. A small system has bash, which
     * the guardian needs, but no program {@code kill}.
     */
    private static void raise(String name) {
        try {
            String self = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder("bash", "-c", "kill -s \"$0\" \"$1\"", name, self)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException unsupported) {
            // The exit code says the same.
        }
    }
}
