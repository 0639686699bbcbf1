package dev.baton.chaos.client;

import dev.baton.servers.net.TcpProxy;
import dev.baton.tck.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A place for one client JVM at a time, behind a network of its own. For one thread at a time. */
public final class ClientJvm implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final int place;
    private final @Nullable TcpProxy network;
    private int client;
    private @Nullable ChildProcess process;

    /**
     * Creates an empty place.
     *
     * @param place its number, from 1
     * @param network the network between the client and the server; null if they do not talk over one
     */
    ClientJvm(int place, @Nullable TcpProxy network) {
        this.place = place;
        this.network = network;
    }

    /** Starts a JVM, without waiting until it works. */
    void start(ClientSettings settings) throws IOException {
        client = settings.client();
        process = ChildProcess.start(
                settings.directory(), ClientMain.class, settings.toArguments().toArray(String[]::new));
    }

    /** Waits until the JVM works. */
    void awaitUp() throws InterruptedException {
        String word = child().expect("", START);
        if (!word.equals("UP")) {
            throw new IllegalStateException("client " + place + " cannot begin: " + word);
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

    /** Interrupts one of its callers. */
    public void interrupt(long seed) {
        child().send("interrupt " + seed);
    }

    /** Returns the process ID. */
    public long pid() {
        return child().pid();
    }

    /** Returns the network between the client and the server; null if they do not talk over one. */
    public @Nullable TcpProxy network() {
        return network;
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
