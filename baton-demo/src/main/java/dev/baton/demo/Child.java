package dev.baton.demo;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A child process as the parent sees it. Thread-safe. */
final class Child {
    /** The exit code of a process that Ctrl-C ended. */
    private static final int INTERRUPTED = 130;

    private final String name;
    private final Process process;
    private final BufferedWriter mouth;
    private final Queue<Message> heard = new ConcurrentLinkedQueue<>();
    private volatile boolean killed;

    Child(String name, Process process) {
        this.name = name;
        this.process = process;
        this.mouth = process.outputWriter();
        Thread ear = new Thread(this::listen, "ear of " + name);
        ear.setDaemon(true);
        ear.start();
    }

    long pid() {
        return process.pid();
    }

    synchronized void tell(Word word) {
        try {
            mouth.write(word + "\n");
            mouth.flush();
        } catch (IOException e) {
            // The child is dead; a caller that waits for its answer gets an error.
        }
    }

    /** Returns whether it said this word at least this many times. */
    boolean said(Word word, int times) {
        return heard.stream().filter(message -> message.word() == word).count() >= times;
    }

    Optional<Message> last(Word word) {
        return heard.stream().filter(message -> message.word() == word).reduce((first, second) -> second);
    }

    /** Throws if it reported a failure, or ended by itself with an error code. */
    void check() {
        last(Word.STORE_FAILED).ifPresent(message -> {
            throw new DemoException(DemoException.Kind.STORE, message.more(), null);
        });
        last(Word.FAILED).ifPresent(message -> {
            throw new DemoException(DemoException.Kind.INTERNAL, name + " failed: " + message.more(), null);
        });
        if (killed || process.isAlive() || process.exitValue() == 0) {
            return;
        }
        if (process.exitValue() == INTERRUPTED) {
            throw new DemoException(DemoException.Kind.INTERRUPTED, "interrupted", null);
        }
        throw new DemoException(
                DemoException.Kind.ENVIRONMENT, name + " ended by itself with code " + process.exitValue(), null);
    }

    /** Sends SIGKILL on systems with signals. This also ends a stopped process. */
    void kill() {
        killed = true;
        process.destroyForcibly();
    }

    /** Waits briefly for the end of the process. */
    boolean ended() throws InterruptedException {
        return process.waitFor(2, TimeUnit.SECONDS);
    }

    private void listen() {
        try (BufferedReader in = process.inputReader()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int space = line.indexOf(' ');
                heard.add(new Message(
                        Word.valueOf(line.substring(0, space)), line.substring(space + 1), System.nanoTime()));
            }
        } catch (IOException e) {
            // The child was killed.
        }
    }

    /**
     * A line from a child.
     *
     * @param word the first word
     * @param more the rest of the line
     * @param atNanos when it was received
     */
    record Message(Word word, String more, long atNanos) {}
}
