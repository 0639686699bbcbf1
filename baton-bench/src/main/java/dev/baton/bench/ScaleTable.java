package dev.baton.bench;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.bench.jvm.Stopwatch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What clients, held locks and names cost a server: the figures with which to plan for more of them. Each is the difference
 * between two states of one server, divided by the number of clients, locks or names between them.
 *
 * @param clients how many clients connect, and wait
 * @param names how many locks are held, and how many names are used once
 * @param settling how long to wait until what a step has begun is over: connections, and the first heartbeats
 * @param window how long processor time is counted
 */
record ScaleTable(int clients, int names, Duration settling, Duration window) {
    static final ScaleTable USUAL = new ScaleTable(50, 20_000, Duration.ofSeconds(5), Duration.ofSeconds(40));

    static final List<String> STORES = List.of("redis", "postgresql", "zookeeper", "etcd");

    private static final double MICROS_PER_MINUTE = 60e6;
    private static final double BYTES_PER_KILOBYTE = 1_024;
    private static final int AT_ONCE = 200;

    private static final String HEAD = """
            | store | a client with one lock: memory | its processor time | a client that waits: processor time | a held lock: memory | its renewals: processor time | a name that was used once: memory |
            |---|---:|---:|---:|---:|---:|---:|
            """;

    /** What a server uses at one moment. */
    private record Level(double bytes, double cpuPerMinute) {
        Level perEach(Level before, int number) {
            return new Level((bytes - before.bytes) / number, (cpuPerMinute - before.cpuPerMinute) / number);
        }

        String memory() {
            double kilobytes = bytes / BYTES_PER_KILOBYTE;
            return String.format(Locale.ROOT, kilobytes < 10 ? "%.2f KB" : "%.0f KB", kilobytes);
        }

        /** In microseconds for each minute. */
        String cpu() {
            return String.format(Locale.ROOT, Math.abs(cpuPerMinute) < 100 ? "%.1f µs" : "%.0f µs", cpuPerMinute);
        }
    }

    /**
     * Measures stores, each on a server of its own.
     *
     * @param progress receives lines that report progress
     * @return a table in Markdown
     */
    String measure(List<String> stores, Consumer<String> progress) throws Exception {
        StringBuilder table = new StringBuilder(HEAD);
        for (String store : stores) {
            try (Servers servers = Servers.open(List.of(store), progress)) {
                table.append(row(store, servers, progress));
            }
        }
        return table.append('\n')
                .append(Lines.plain(String.format(
                        Locale.ROOT,
                        "Processor time is that of the server for each minute, counted for %d s. %d clients in one JVM; %d names.",
                        window.toSeconds(),
                        clients,
                        names)))
                .append('\n')
                .toString();
    }

    private String row(String store, Servers servers, Consumer<String> progress) throws Exception {
        Home home = servers.addresses().keySet().iterator().next();
        String address = Objects.requireNonNull(servers.addresses().get(home));
        ServerTree server = servers.tree(home);
        List<Baton> open = new ArrayList<>();
        // A lease without a reference is given up.
        List<Lease> own = new ArrayList<>();
        try (Baton many = connect(address)) {
            progress.accept(store + ": " + names + " names are used once");
            useOnce(many, "first ");
            Level before = level(server);
            useOnce(many, "second ");
            Level used = level(server);
            progress.accept(store + ": " + clients + " clients hold a lock each");
            for (int i = 0; i < clients; i++) {
                open.add(connect(address));
                own.add(open.get(i).lock("own " + i).acquire());
            }
            Level connected = level(server);
            progress.accept(store + ": the clients wait for one lock");
            List<CompletableFuture<Lease>> waits = new ArrayList<>();
            Lease wanted = many.lock("wanted").acquire();
            for (Baton client : open) {
                waits.add(client.lock("wanted").acquireAsync());
            }
            Level waiting = level(server);
            waits.forEach(each -> each.cancel(true));
            wanted.release();
            progress.accept(store + ": one client holds " + names + " locks");
            Level alone = level(server);
            List<Lease> held = holdAll(many);
            Level holding = level(server);
            List<?> unused = inParts(i -> held.get(i).releaseAsync());
            Level perClient = connected.perEach(used, clients);
            Level perHold = holding.perEach(alone, names);
            return "| %s | %s | %s | %s | %s | %s | %s |%n"
                    .formatted(
                            servers.versions().get(home),
                            perClient.memory(),
                            perClient.cpu(),
                            waiting.perEach(connected, clients).cpu(),
                            perHold.memory(),
                            perHold.cpu(),
                            used.perEach(before, names).memory());
        } finally {
            own.forEach(Lease::close);
            open.forEach(Baton::close);
        }
    }

    private static Baton connect(String address) {
        return Baton.connect(address, BatonOptions.builder().namespace("scale").build());
    }

    private void useOnce(Baton client, String prefix) {
        List<?> unused = inParts(i -> client.lock(prefix + i).acquireAsync().thenCompose(Lease::releaseAsync));
    }

    private List<Lease> holdAll(Baton client) {
        List<Lease> held = new ArrayList<>();
        inParts(i -> client.lock("held " + i).acquireAsync()).forEach(each -> held.add(each.join()));
        return held;
    }

    /** A step for each name. */
    private interface Step<T> {
        CompletableFuture<T> begin(int name);
    }

    /** Takes as many steps as there are names, a few hundred at once. */
    private <T> List<CompletableFuture<T>> inParts(Step<T> step) {
        List<CompletableFuture<T>> all = new ArrayList<>();
        for (int from = 0; from < names; from += AT_ONCE) {
            List<CompletableFuture<T>> part = new ArrayList<>();
            for (int i = from; i < Math.min(names, from + AT_ONCE); i++) {
                part.add(step.begin(i));
            }
            CompletableFuture.allOf(part.toArray(CompletableFuture[]::new)).join();
            all.addAll(part);
        }
        return all;
    }

    private Level level(ServerTree server) throws IOException {
        Stopwatch.rest(settling.toNanos());
        double before = server.cpuMicros();
        Stopwatch watch = Stopwatch.started();
        Stopwatch.rest(window.toNanos());
        double micros = server.cpuMicros() - before;
        return new Level(server.bytes(), micros * MICROS_PER_MINUTE / (watch.nanos() / 1e3));
    }
}
