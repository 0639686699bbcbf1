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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * The dashboard and the alerts of docs/monitoring, in a real Prometheus that watches a client through faults of each kind. There
 * each alert fires after a second at most; {@code promtool} tests the alerts with their own durations.
 */
class PrometheusTest {
    private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    /** How long Prometheus watches before the first fault: several evaluations of alerts that must not fire. */
    private static final int HEALTHY_SECONDS = 4;

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
                // A stall of the machine must not be a caller that fails: BatonCallersFail would fire.
                .storeTimeout(Duration.ofSeconds(5));
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

    /** Writes the rules as they are shipped, except that each fires after a second at most. */
    private Path hurriedRules() throws IOException {
        Map<String, Object> file = Monitoring.yaml(Monitoring.ALERTS);
        for (Map<String, Object> rule : Monitoring.rules(file)) {
            rule.computeIfPresent("for", (key, time) -> "1s");
        }
        return Files.writeString(directory.resolve("alerts.yaml"), new Yaml().dump(file));
    }

    @Test
    void everyExpressionHasData_andEveryAlertFires_inItsFault() throws Exception {
        Lease held = client.lock("held").acquire();
        await("each expression of the dashboard has data", () -> {
            useLocks();
            return expressionsWithoutData().isEmpty();
        });
        assertThat(legendsWithoutLabel())
                .as("legends that name a label without a value")
                .isEmpty();
        for (int second = 0; second < HEALTHY_SECONDS; second++) {
            useLocks();
        }

        nextWillFire("BatonCallersGoWithout", "BatonCallersPileUp");
        try (Lease taken = client.lock("taken").acquire()) {
            for (int i = 0; i < 100; i++) {
                assertThat(client.lock("taken").tryAcquire(Duration.ofMillis(10)))
                        .isEmpty();
            }
            List<CompletableFuture<Lease>> crowd = new ArrayList<>();
            for (int i = 0; i <= 100; i++) {
                crowd.add(client.lock("taken").acquireAsync());
            }
            awaitFired();
            crowd.forEach(each -> each.cancel(false));
            assertThat(taken.isHeld()).isTrue();
        }

        nextWillFire("BatonLeaseLost");
        client.admin().forceReleaseNow("held");
        awaitFired();
        assertThat(held.isHeld()).isFalse();

        nextWillFire("BatonEventsDropped");
        dropEvents();
        awaitFired();

        nextWillFire("BatonStoreSilent", "BatonCallersFail");
        Lease put = client.lock("put back").acquire();
        redis.kill();
        assertThatThrownBy(() -> client.lock("unknown").tryAcquire()).isInstanceOf(StoreException.class);
        awaitFired();

        nextWillFire("BatonStoreInGracePeriod");
        redis.restart();
        CompletableFuture<Lease> later = client.lock("later").acquireAsync();
        awaitFired();
        later.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
        put.close();
        assertThat(fired()).as("the alerts that fired").isEqualTo(Monitoring.alerts());
        await(
                "the store is well again",
                () -> !firing().contains("BatonStoreSilent") && !firing().contains("BatonStoreInGracePeriod"));
    }

    /** A wait, a hold and a hand-off, within a second: Prometheus scrapes once a second. */
    private void useLocks() throws Exception {
        DistributedLock lock = client.lock("used");
        CompletableFuture<Lease> next;
        try (Lease lease = lock.acquire()) {
            assertThat(lease.isHeld()).isTrue();
            next = lock.acquireAsync();
            Thread.sleep(1_000);
        }
        next.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
    }

    /** More events than the client keeps for a listener that hangs. */
    private void dropEvents() throws Exception {
        for (int i = 0; i < 20_000; i++) {
            slow.lock("quick").acquire().close();
        }
        listens.countDown();
    }

    // ---- asking Prometheus ---------------------------------------------------------------------------------------

    /** The alerts whose fault has begun: no other alert may fire. */
    private final Set<String> due = new TreeSet<>();

    private Set<String> firing() throws IOException {
        return alertNames("ALERTS{alertstate=\"firing\"}");
    }

    /** Returns the alerts that have fired since the start, however briefly. */
    private Set<String> fired() throws IOException {
        return alertNames("max_over_time(ALERTS{alertstate=\"firing\"}[1h])");
    }

    private Set<String> alertNames(String expression) throws IOException {
        return query(expression).stream()
                .map(series ->
                        Monitoring.map(series.get("metric")).get("alertname").toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Begins the next fault: until now, only the alerts of earlier faults may have fired. */
    private void nextWillFire(String... alerts) throws IOException {
        assertThat(fired())
                .as("alerts that fired before the fault of %s", List.of(alerts))
                .isEqualTo(due);
        due.addAll(List.of(alerts));
    }

    private void awaitFired() throws Exception {
        await(due + " have fired", () -> fired().containsAll(due));
        assertThat(fired()).as("alerts that fired").isEqualTo(due);
    }

    private List<String> expressionsWithoutData() throws IOException {
        List<String> without = new ArrayList<>();
        for (Map<String, Object> target : Monitoring.targets()) {
            if (query(expression(target)).stream()
                    .allMatch(each -> "NaN".equals(((List<?>) each.get("value")).get(1)))) {
                without.add(expression(target));
            }
        }
        return without;
    }

    /** Returns the legends with a label that a series of their expression lacks. Grafana would show it as empty. */
    private List<String> legendsWithoutLabel() throws IOException {
        List<String> without = new ArrayList<>();
        for (Map<String, Object> target : Monitoring.targets()) {
            String legend = target.get("legendFormat").toString();
            List<String> labels = LEGEND_LABEL
                    .matcher(legend)
                    .results()
                    .map(label -> label.group(1))
                    .toList();
            if (!query(expression(target)).stream()
                    .allMatch(
                            each -> Monitoring.map(each.get("metric")).keySet().containsAll(labels))) {
                without.add(legend + ": " + expression(target));
            }
        }
        return without;
    }

    /** Returns the expression, with the value that Grafana gives its variable if Prometheus scrapes every 15 s. */
    private static String expression(Map<String, Object> target) {
        return target.get("expr").toString().replace("$__rate_interval", "1m");
    }

    private List<Map<String, Object>> query(String expression) throws IOException {
        return Monitoring.list(
                data("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8)), "result");
    }

    private Map<String, Object> data(String path) throws IOException {
        return Monitoring.map(JSON.std.mapFrom(prometheus.get(path)).get("data"));
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
