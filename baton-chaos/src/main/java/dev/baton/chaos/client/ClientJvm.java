package dev.baton.chaos.client;

import dev.baton.servers.clock.SettableClock;
import dev.baton.servers.net.TcpProxy;
import dev.baton.tck.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A place for one client JVM at a time, behind a network of its own. For one thread at a time. */
public final class ClientJvm implements AutoCloseable {
    /** A machine that does much else needs long for a JVM. */
    private static final Duration START = Duration.ofMinutes(3);

    private final int place;
    private final @Nullable TcpProxy network;
    private final @Nullable SettableClock clock;
    private int client;
    private @Nullable ChildProcess process;

    /**
     * Creates an empty place.
     *
     * @param place its number, from 1
     * @param network the network between the client and the server; null if they do not talk over one
     * @param clock its wall clock; null if that of the machine will do
     */
    ClientJvm(int place, @Nullable TcpProxy network, @Nullable SettableClock clock) {
        this.place = place;
        this.network = network;
        this.clock = clock;
    }

    /** Starts a JVM, without waiting until it works. */
    void start(ClientSettings settings) throws IOException {
        client = settings.client();
        process = ChildProcess.start(
                settings.directory(),
                clock == null ? Map.of() : clock.environment(),
                ClientMain.class,
                settings.toArguments().toArray(String[]::new));
    }

    /** Waits until the JVM works. */
    void awaitUp() throws InterruptedException {
        String word = firstWord();
        if (!word.equals("UP")) {
            throw new IllegalStateException("client " + place + " cannot begin: " + word);
        }
    }

    private String firstWord() throws InterruptedException {
        try {
            return child().expect("", START);
        } catch (AssertionError silent) {
            throw new IllegalStateException("client " + place + " says nothing: " + silent.getMessage(), silent);
        }
    }

    /** Tells the JVM to finish. */
    void finish() {
        child().send("finish");
    }

    /** Waits until the JVM has finished. Returns false if it does not in time. */
    boolean isDoneWithin(Duration limit) throws InterruptedException {
        try {
            child().expect("DONE", limit);
            return true;
        } catch (AssertionError unfinished) {
            return false;
        }
    }

    private ChildProcess child() {
        ChildProcess child = process;
        if (child == null) {
            throw new IllegalStateException("client " + place + " was not started");
        }
        return child;
    }

    /** Returns the number of the present JVM. */
    public int client() {
        return client;
    }

    /** Whether the JVM runs, or is stopped. */
    public boolean isAlive() {
        return child().isAlive();
    }

    /** Sends SIGKILL, and waits until the process has ended. */
    public void kill() throws InterruptedException {
        child().kill();
    }

    /** Sends SIGSTOP. */
    public void pause() throws IOException, InterruptedException {
        child().pause();
    }

    /** Sends SIGCONT. */
    public void resume() throws IOException, InterruptedException {
        child().resume();
    }

    /** Whether the system says that the process is stopped. */
    public boolean isStopped() throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid()), "stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    }

    /** Interrupts one of its callers. */
    public void interrupt(long seed) {
        child().send("interrupt " + seed);
    }

    /** Holds up its callbacks. */
    public void holdCallbacks() {
        child().send("hold");
    }

    /** Lets its callbacks go on. */
    public void letCallbacksGoOn() {
        child().send("go-on");
    }

    /**
     * Lets the JVM collect its garbage, and measures it.
     *
     * @param number of the question, which no other one has
     * @return empty if it does not answer in time, or has ended
     */
    public Optional<Vitals> sample(long number, Duration limit) throws InterruptedException {
        try {
            child().send("sample " + number);
            return Optional.of(Vitals.of(child().expect("SAMPLE " + number + " ", limit)));
        } catch (AssertionError | UncheckedIOException silent) {
            return Optional.empty();
        }
    }

    /** Returns the process ID. */
    public long pid() {
        return child().pid();
    }

    /** Returns the network between the client and the server; null if they do not talk over one. */
    public @Nullable TcpProxy network() {
        return network;
    }

    /** Returns its wall clock; null if that of the machine cannot be set for it. */
    public @Nullable SettableClock clock() {
        return clock;
    }

    @Override
    public String toString() {
        return "client " + client + " at place " + place;
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
        if (network != null) {
            network.close();
        }
    }
}
