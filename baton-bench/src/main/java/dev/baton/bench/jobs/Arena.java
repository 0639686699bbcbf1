package dev.baton.bench.jobs;

import dev.baton.bench.jobs.RunTable.Ran;
import dev.baton.bench.jvm.ChildJvm;
import dev.baton.bench.jvm.Stopwatch;
import dev.baton.servers.PostgresServer;
import dev.baton.servers.clock.ClockShim;
import dev.baton.servers.clock.SettableClock;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The place where one product plays: its own PostgreSQL, and its machines. For one thread at a time. */
final class Arena implements AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(100);

    /** For JVMs that mostly wait: the optimising compiler would take the time of the others. */
    private static final Map<String, String> LEAN =
            Map.of("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");

    private final Product product;
    private final Path clocks;
    private final PostgresServer server = PostgresServer.start();
    private final RunTable table = new RunTable(server.uri());
    private final Deque<ChildJvm> idle = new ArrayDeque<>();
    private final List<Machine> machines = new ArrayList<>();
    private int opened;

    /**
     * Opens an arena.
     *
     * @param clocks a directory for the clocks of machines
     */
    Arena(Product product, Path clocks) {
        this.product = product;
        this.clocks = clocks;
    }

    /** A condition that the database decides. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws Exception;
    }

    Product product() {
        return product;
    }

    PostgresServer server() {
        return server;
    }

    /** Prepares for a scenario: empty tables, and no machine. */
    void clear() throws Exception {
        closeMachines();
        table.create();
        if (!product.tables().isEmpty()) {
            try (Connection connection = DriverManager.getConnection(server.uri())) {
                connection.createStatement().execute(product.tables());
            }
        }
    }

    // ---- machines ------------------------------------------------------------------------------------------------

    List<Machine> open(int count) throws Exception {
        return open(Collections.nCopies(count, Duration.ZERO));
    }

    /** Opens machines whose clocks are so far ahead. */
    List<Machine> open(List<Duration> ahead) throws Exception {
        List<Machine> added = new ArrayList<>();
        for (Duration each : ahead) {
            Machine machine = each.isZero() ? machine() : machine(each);
            machines.add(machine);
            added.add(machine);
        }
        for (Machine machine : added) {
            machine.open(product, server.uri());
        }
        return added;
    }

    private Machine machine() throws IOException {
        ChildJvm waiting = idle.poll();
        return new Machine(nextName(), waiting == null ? ChildJvm.start(Node.class, LEAN) : waiting, null);
    }

    private Machine machine(Duration ahead) throws IOException {
        String name = nextName();
        SettableClock clock = ClockShim.compile(clocks.resolve(name), ClockShim.COMPILER)
                .clock(clocks.resolve(name).resolve("clock"));
        clock.set(ahead);
        Map<String, String> environment = new HashMap<>(LEAN);
        environment.putAll(clock.environment());
        return new Machine(name, ChildJvm.start(Node.class, environment), clock);
    }

    private String nextName() {
        opened++;
        return "node" + opened;
    }

    /** Opens machines, and schedules jobs on each. */
    List<Machine> start(int count, List<JobSpec> jobs) throws Exception {
        List<Machine> added = open(count);
        schedule(added, jobs);
        return added;
    }

    void schedule(List<Machine> on, List<JobSpec> jobs) throws Exception {
        for (Machine machine : on) {
            machine.offer(jobs).ifPresent(refusal -> {
                throw new IllegalStateException(refusal);
            });
        }
    }

    @Nullable
    Machine named(String name) {
        return machines.stream()
                .filter(machine -> machine.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Returns the news of all machines, in words: each kind with its number. */
    String heard() throws Exception {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Machine machine : machines) {
            if (!machine.isKilled()) {
                machine.heard().forEach(line -> counts.merge(line, 1, Integer::sum));
            }
        }
        return counts.isEmpty()
                ? "nothing"
                : counts.entrySet().stream()
                        .map(each -> each.getKey() + (each.getValue() == 1 ? "" : " (" + each.getValue() + "x)"))
                        .collect(Collectors.joining(", "));
    }

    void closeMachines() {
        machines.forEach(machine -> machine.close().ifPresent(idle::add));
        machines.clear();
    }

    // ---- runs and times ------------------------------------------------------------------------------------------

    List<Ran> runs(JobSpec job) throws Exception {
        return table.of(job);
    }

    /** Returns the time by the database's clock. */
    Instant now() throws Exception {
        return table.now();
    }

    void rest(Duration time) {
        Stopwatch.rest(time.toNanos());
    }

    /** Waits until a time by the database's clock. */
    void awaitTime(Instant time) throws Exception {
        Duration left = Duration.between(now(), time);
        if (!left.isNegative()) {
            rest(left);
        }
    }

    /** Waits for a condition; returns whether it holds. */
    boolean await(Duration atMost, Condition condition) throws Exception {
        Stopwatch watch = Stopwatch.started();
        while (!condition.holds()) {
            if (watch.nanos() > atMost.toNanos()) {
                return false;
            }
            rest(STEP);
        }
        return true;
    }

    @Override
    public void close() {
        closeMachines();
        idle.forEach(ChildJvm::close);
        server.close();
    }
}
