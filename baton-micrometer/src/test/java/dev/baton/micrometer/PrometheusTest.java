package dev.baton.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import com.sun.net.httpserver.HttpServer;
import dev.baton.Baton;
import dev.baton.BatonListener;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.PrometheusServer;
import dev.baton.servers.RedisServer;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The dashboard and the alerts of docs/monitoring, in a real Prometheus that watches a client through faults of each kind. */
class PrometheusTest {
    private static final Path MONITORING = Path.of("..", "docs", "monitoring");
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final CountDownLatch listens = new CountDownLatch(1);

    @TempDir
    Path directory;

    private RedisServer redis;
    private HttpServer endpoint;
    private PrometheusServer prometheus;
    private Baton client;
    private Baton slow;

    @BeforeEach
    void start() throws IOException {
        endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        endpoint.createContext("/metrics", exchange -> {
            byte[] meters = registry.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, meters.length);
            exchange.getResponseBody().write(meters);
            exchange.close();
        });
        endpoint.start();
        redis = RedisServer.builder().start();
        BatonMeters meters = meters("shop", event -> {});
        client = Baton.connect(redis.uri(), options().listener(meters).build());
        meters.watch(client);
        BatonMeters late = meters("slow", event -> awaitListening());
        slow = Baton.connect("memory://slow", options().listener(late).build());
        prometheus = PrometheusServer.start("127.0.0.1:" + endpoint.getAddress().getPort(), hurriedRules());
    }

    private BatonMeters meters(String tag, BatonListener next) {
        return BatonMeters.builder(registry)
                .tags(Tags.of("client", tag))
                .next(next)
                .build();
    }

    private static BatonOptions.Builder options() {
        return BatonOptions.builder()
                .leaseTime(Duration.ofSeconds(6))
                .grace(Duration.ofSeconds(8))
                .storeTimeout(Duration.ofSeconds(1));
    }

    private void awaitListening() {
        try {
            if (!listens.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("nothing let the listener go on");
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        listens.countDown();
        for (AutoCloseable each : List.of(prometheus, client, slow, redis)) {
            try {
                each.close();
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        }
        endpoint.stop(0);
    }

    /** The rules as they are shipped, except that each fires after a second at most. */
    private Path hurriedRules() throws IOException {
        Map<String, Object> file = new Yaml().load(Files.readString(MONITORING.resolve("baton-alerts.yaml")));
        for (Map<String, Object> rule : rules(file)) {
            rule.computeIfPresent("for", (key, time) -> "1s");
        }
        return Files.writeString(directory.resolve("alerts.yaml"), new Yaml().dump(file));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rules(Map<String, Object> file) {
        return ((List<Map<String, Object>>) file.get("groups"))
                .stream()
                        .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
                        .toList();
    }

    @Test
    void everyExpressionHasData_andEveryAlertFires_inItsFault() throws Exception {
        Set<String> all = rules(new Yaml().load(Files.readString(MONITORING.resolve("baton-alerts.yaml")))).stream()
                .map(rule -> rule.get("alert").toString())
                .collect(Collectors.toCollection(TreeSet::new));
        Lease held = client.lock("held").acquire();
        useLocks();
        useLocks();
        await(
                "each expression of the dashboard has data",
                () -> expressionsWithoutData().isEmpty());
        assertThat(firing()).as("without a fault").isEmpty();

        try (Lease taken = client.lock("taken").acquire()) {
            for (int i = 0; i < 100; i++) {
                assertThat(client.lock("taken").tryAcquire(Duration.ofMillis(10)))
                        .isEmpty();
            }
            List<CompletableFuture<Lease>> crowd = new ArrayList<>();
            for (int i = 0; i <= 100; i++) {
                crowd.add(client.lock("taken").acquireAsync());
            }
            awaitFiring("BatonCallersGoWithout", "BatonCallersPileUp");
            crowd.forEach(each -> each.cancel(false));
            assertThat(taken.isHeld()).isTrue();
        }
        client.admin().forceReleaseNow("held");
        awaitFiring("BatonLeaseLost");
        assertThat(held.isHeld()).isFalse();
        dropEvents();
        awaitFiring("BatonEventsDropped");

        Lease put = client.lock("put back").acquire();
        redis.kill();
        assertThatThrownBy(() -> client.lock("unknown").tryAcquire()).isInstanceOf(StoreException.class);
        awaitFiring("BatonStoreSilent", "BatonCallersFail");
        redis.restart();
        CompletableFuture<Lease> later = client.lock("later").acquireAsync();
        awaitFiring("BatonStoreInGracePeriod");
        later.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
        put.close();
        assertThat(fired).as("each alert has a fault here").isEqualTo(all);
        await(
                "the store is well again",
                () -> !firing().contains("BatonStoreSilent") && !firing().contains("BatonStoreInGracePeriod"));
    }

    /** Hand-offs, waits and holds. */
    private void useLocks() throws Exception {
        DistributedLock lock = client.lock("used");
        for (int second = 0; second < 3; second++) {
            CompletableFuture<Lease> next;
            try (Lease lease = lock.acquire()) {
                assertThat(lease.isHeld()).isTrue();
                next = lock.acquireAsync();
                Thread.sleep(1_000); // Prometheus looks once a second
            }
            next.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
        }
    }

    /** More events than the client keeps for a listener that hangs. */
    private void dropEvents() throws Exception {
        for (int i = 0; i < 20_000; i++) {
            slow.lock("quick").acquire().close();
        }
        listens.countDown();
    }

    // ---- asking Prometheus ---------------------------------------------------------------------------------------

    private final Set<String> fired = new TreeSet<>();

    private Set<String> firing() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Map<String, Object> alert : list(data("/api/v1/alerts"), "alerts")) {
            if ("firing".equals(alert.get("state"))) {
                names.add(map(alert.get("labels")).get("alertname").toString());
            }
        }
        fired.addAll(names);
        return names;
    }

    private void awaitFiring(String... alerts) throws Exception {
        await(String.join(", ", alerts), () -> firing().containsAll(List.of(alerts)));
    }

    private List<String> expressionsWithoutData() throws IOException {
        List<String> without = new ArrayList<>();
        Map<String, Object> dashboard = JSON.std.mapFrom(Files.readString(MONITORING.resolve("baton-dashboard.json")));
        for (Map<String, Object> panel : list(dashboard, "panels")) {
            for (Map<String, Object> target : list(panel, "targets")) {
                String expression = target.get("expr").toString().replace("$__rate_interval", "1m");
                String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
                if (list(data("/api/v1/query?query=" + query), "result").stream()
                        .allMatch(each -> "NaN".equals(((List<?>) each.get("value")).get(1)))) {
                    without.add(expression);
                }
            }
        }
        return without;
    }

    private Map<String, Object> data(String path) throws IOException {
        return map(JSON.std.mapFrom(prometheus.get(path)).get("data"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> parent, String name) {
        return (List<Map<String, Object>>) parent.get(name);
    }

    private interface Check {
        boolean holds() throws Exception;
    }

    private void await(String what, Check check) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!check.holds()) {
            assertThat(System.nanoTime())
                    .as("%s; firing: %s; without data: %s", what, firing(), expressionsWithoutData())
                    .isLessThan(end);
            Thread.sleep(200);
        }
    }
}
