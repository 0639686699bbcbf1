package dev.baton.cli.look;

import static dev.baton.cli.TestClients.PATIENT;

import dev.baton.Baton;
import dev.baton.BatonClosedException;
import dev.baton.Election;
import dev.baton.Lease;
import dev.baton.cli.BatonProcess;
import dev.baton.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;

/** Locks on an empty store: the test's own JVM holds them and waits for them, and commands look at them. */
final class TestLocks implements AutoCloseable {
    /** Where a test runs commands. */
    enum Place {
        SQLITE,
        REDIS
    }

    /** Short, so that a holder learns within two seconds that its lock was taken away. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private final Path directory;
    private final String uri;
    private final List<Baton> clients = new ArrayList<>();
    private final List<BatonProcess> processes = new ArrayList<>();

    /**
     * Leases and future leases: an unreferenced lease is abandoned, so its lock would be free before a slow test ends.
     */
    private final List<Object> kept = new ArrayList<>();

    TestLocks(Place place, Path directory) {
        this.directory = directory;
        if (place == Place.REDIS) {
            RedisServer.shared().command("FLUSHALL");
            this.uri = RedisServer.shared().uri();
        } else {
            this.uri = "jdbc:sqlite:" + directory.resolve("locks.db");
        }
    }

    /** Connects one more client, which names its application. */
    Baton client(String application) {
        return client(application, LEASE);
    }

    private Baton client(String application, Duration lease) {
        Baton client = Baton.connect(
                uri,
                PATIENT.toBuilder()
                        .applicationName(application)
                        .leaseTime(lease)
                        .build());
        clients.add(client);
        return client;
    }

    /** Holds a lock, and reads its state again only after minutes. */
    Lease holdDeafly(String application, String name) throws InterruptedException {
        return keep(client(application, Duration.ofMinutes(15)).lock(name).acquire());
    }

    Lease hold(String application, String name) throws InterruptedException {
        return keep(client(application).lock(name).acquire());
    }

    private <T> T keep(T lease) {
        kept.add(lease);
        return lease;
    }

    /** Returns as soon as the request is in the queue. */
    CompletableFuture<Lease> queue(String application, String name) throws InterruptedException {
        Baton client = client(application);
        CompletableFuture<Lease> lease = keep(client.lock(name).acquireAsync());
        while (client.admin().inspect(name).orElseThrow().waiters().stream()
                .noneMatch(waiter -> waiter.startsWith(application))) {
            Thread.sleep(10);
        }
        return lease;
    }

    /** Leads an election, and returns when others read the note. */
    void lead(String application, String name, String note) throws InterruptedException {
        Election election = client(application).election(name);
        keep(election.join(term -> term.writeNote(note.getBytes(StandardCharsets.UTF_8))));
        while (election.leader().flatMap(Election.Leader::note).isEmpty()) {
            Thread.sleep(10);
        }
    }

    /** Lets two applications hold a lock each and wait for the other one, until this closes. */
    void crossed(String first, String firstLock, String second, String secondLock) throws InterruptedException {
        CyclicBarrier both = new CyclicBarrier(2);
        Baton looking = client("looking");
        start(first, both, firstLock, secondLock);
        start(second, both, secondLock, firstLock);
        for (String name : List.of(firstLock, secondLock)) {
            while (looking.admin()
                    .inspect(name)
                    .map(info -> info.waiters().isEmpty())
                    .orElse(true)) {
                Thread.sleep(10);
            }
        }
    }

    private void start(String application, CyclicBarrier both, String own, String wanted) {
        Baton client = client(application);
        Thread thread = new Thread(() -> cross(client, both, own, wanted), application);
        thread.setDaemon(true);
        thread.start();
    }

    private static void cross(Baton client, CyclicBarrier both, String own, String wanted) {
        try (Lease held = client.lock(own).acquire()) {
            both.await();
            client.lock(wanted).acquire();
            throw new AssertionError(held + " and " + wanted + " are held by one thread");
        } catch (BatonClosedException over) {
            // The test is over.
        } catch (InterruptedException | BrokenBarrierException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    /** Starts a command. */
    BatonProcess start(List<String> jvmOptions, Map<String, String> environment, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--store", uri));
        return launch(jvmOptions, environment, all.toArray(String[]::new));
    }

    /** Starts a command with exactly these arguments, which may name a store. */
    BatonProcess startWithoutStore(String... arguments) {
        return launch(List.of(), Map.of(), arguments);
    }

    private BatonProcess launch(List<String> jvmOptions, Map<String, String> environment, String... arguments) {
        Path own = directory.resolve("process" + processes.size());
        BatonProcess process = BatonProcess.start(own, jvmOptions, environment, arguments);
        processes.add(process);
        return process;
    }

    BatonProcess start(String... arguments) {
        return start(List.of(), Map.of(), arguments);
    }

    /** Runs a command to its end. */
    BatonProcess run(int exitCode, String... arguments) throws InterruptedException {
        BatonProcess process = start(arguments);
        int found = process.exitCode();
        if (found != exitCode) {
            throw new AssertionError("exit code " + found + ", said: " + process.out() + process.err());
        }
        return process;
    }

    @Override
    public void close() {
        processes.forEach(BatonProcess::close);
        clients.forEach(Baton::close);
    }
}
