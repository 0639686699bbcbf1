package dev.baton.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * SIGQUIT, which the JVM reserves: it prints a thread dump and notifies no program, and processes that it starts have
 * the signal blocked. The launcher makes the JVM print the dump to a file without a name, which this class reads. The
 * launcher also names a program that unblocks the signal ({@code env} of the GNU coreutils), if there is one.
 */
final class QuitSignal {
    private static final String FILE = "baton.vm.output";
    private static final String UNBLOCKING = "baton.unblocking";
    private static final String BEGINNING = "Full thread dump";
    private static final long MILLIS = 200;

    private final Path file;
    private final Runnable action;
    private long read;

    private QuitSignal(Path file, Runnable action) {
        this.file = file;
        this.action = action;
    }

    /**
     * Returns the same command, started by the program that restores SIGQUIT to the state that this process was given.
     */
    static List<String> unblocked(List<String> words) {
        String unblocking = System.getProperty(UNBLOCKING, "");
        // That program would treat a first word with this sign as a variable.
        if (unblocking.isEmpty() || words.get(0).contains("=")) {
            return words;
        }
        return Stream.concat(Stream.of(unblocking.split(" ", -1)), words.stream())
                .toList();
    }

    /**
     * Runs an action after each dump, on a separate thread. Does nothing if the JVM prints dumps to its standard
     * output.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // runs until the process ends
    static void onEach(Runnable action) {
        String file = System.getProperty(FILE, "");
        if (!file.isEmpty()) {
            QuitSignal dumps = new QuitSignal(Path.of(file), action);
            Executors.newSingleThreadScheduledExecutor(task -> {
                        Thread thread = new Thread(task, "baton-quit");
                        thread.setDaemon(true);
                        return thread;
                    })
                    .scheduleWithFixedDelay(dumps::look, MILLIS, MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        try {
            if (Files.size(file) > read && hasDump()) {
                action.run();
            }
        } catch (IOException unreadable) {
            // Without the file, SIGQUIT does nothing.
        }
    }

    private boolean hasDump() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(read);
            byte[] more = in.readAllBytes();
            read += more.length;
            return new String(more, StandardCharsets.ISO_8859_1).contains(BEGINNING);
        }
    }
}
