package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Deadline;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.tck.JvmHiccups;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sessions whose connections turn out to be broken, or silent, on use. */
class BrokenConnectionsTest {
    private static final int SESSIONS = 4;

    /** A round trip to a server that is far. */
    private static final Duration FAR = Duration.ofMillis(40);

    static Stream<String> servers() {
        return Stream.of(PostgresServer.shared().uri(), MariaServer.shared().uri());
    }

    private interface Test {
        void with(JdbcClient client, TcpProxy proxy) throws Exception;
    }

    private static void through(String uri, Test test) throws Exception {
        int port = URI.create(uri.substring("jdbc:".length())).getPort();
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", port);
                JdbcClient client = new JdbcClient(
                        new JdbcStoreProvider(), uri.replace(":" + port, ":" + proxy.port()), "broken")) {
            test.with(client, proxy);
        }
    }

    /** Runs several calls at a time, so that all sessions connect: calls for locks would go together, on one of them. */
    private static List<Release> holdOnEverySession(JdbcClient client, String names) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
        try {
            List<Release> held = new ArrayList<>();
            for (int round = 0; round < 5; round++) {
                CyclicBarrier together = new CyclicBarrier(SESSIONS);
                List<Future<Release>> calls = new ArrayList<>();
                for (int i = 0; i < SESSIONS; i++) {
                    String name = names + " " + round + " " + i;
                    calls.add(threads.submit(() -> {
                        together.await(20, TimeUnit.SECONDS);
                        return client.hold(Resource.semaphore(name, 2));
                    }));
                }
                for (Future<Release> call : calls) {
                    held.add(call.get(20, TimeUnit.SECONDS));
                }
            }
            return held;
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P22: endings_afterAllConnectionsWereCut_succeedAtOnceOnNewOnes")
    void endings_afterAllConnectionsWereCut_succeedAtOnceOnNewOnes(String uri) throws Exception {
        through(uri, (client, proxy) -> {
            List<Release> held = holdOnEverySession(client, "ended");
            proxy.cut();
            assertThat(client.release(held.get(0))).isTrue();
            proxy.cut();
            long attempt = client.next();
            client.store()
                    .cancel(
                            new Cancel(Resource.lock("never"), attempt, new CommandNumber(client::next)),
                            JdbcClient.TIMEOUT_NANOS);
            proxy.cut();
            assertThat(client.store().releaseAll(held.subList(1, 5), JdbcClient.TIMEOUT_NANOS))
                    .hasSize(4)
                    .allMatch(Release.Reply::released);
        });
    }

    @ParameterizedTest
    @MethodSource("servers")
    @DisplayName("P22: allConnectionsAreCut_andOneCallAtMostFailsForIt")
    void allConnectionsAreCut_andOneCallAtMostFailsForIt(String uri) throws Exception {
        through(uri, (client, proxy) -> {
            holdOnEverySession(client, "before");
            proxy.cut();
            int failed = 0;
            try {
                client.acquire(Resource.lock("first"), client.next(), Acquire.Mode.TRY);
            } catch (StoreFailure broken) {
                failed++;
            }
            // On all sessions at once: the idle ones find out before their next use.
            assertThat(holdOnEverySession(client, "after")).hasSize(20);
            assertThat(failed).isLessThanOrEqualTo(1);
        });
    }

    /** A driver whose time is over breaks its connection: callers that poll with a short wait would never have one. */
    @ParameterizedTest
    @MethodSource("servers")
    @Tag("serial")
    @DisplayName("P22: callsWithLittleTime_toALateServer_endInTime_andKeepTheConnections")
    void callsWithLittleTime_toALateServer_endInTime_andKeepTheConnections(String uri) throws Exception {
        through(uri, (client, proxy) -> {
            int round = 0;
            while (!keepsConnections(client, proxy, "round " + round + ", ")) {
                assertThat(++round).as("rounds with a pause").isLessThan(10);
                proxy.forward();
                reconnect(client);
            }
        });
    }

    /** Returns false if a pause of this machine used up the 250 milliseconds that such a call goes on. */
    private static boolean keepsConnections(JdbcClient client, TcpProxy proxy, String names) throws Exception {
        holdOnEverySession(client, names + "polled");
        proxy.delay(FAR.dividedBy(2));
        proxy.refuse();
        try (JvmHiccups hiccups = new JvmHiccups()) {
            List<Long> took = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Resource name = Resource.lock(names + "polled for " + i);
                long start = System.nanoTime();
                StoreFailure late = catchThrowableOfType(
                        StoreFailure.class,
                        () -> client.acquire(name, client.next(), Acquire.Mode.TRY, TimeUnit.MILLISECONDS.toNanos(2)));
                took.add(System.nanoTime() - start);
                assertThat(late != null || took.get(i) >= FAR.toNanos())
                        .as("ended before an answer could come")
                        .isTrue();
            }
            StoreFailure broken = catchThrowableOfType(
                    StoreFailure.class, () -> client.hold(Resource.lock(names + "held on a connection of before")));
            if (broken != null) {
                assertThat(hiccups.fair(FAR, 4))
                        .as("a pause that explains %s", broken)
                        .isGreaterThan(Duration.ofMillis(250));
                return false;
            }
            took.sort(null);
            assertThat(Duration.ofNanos(took.get(took.size() / 2)))
                    .as("the median of %s", took)
                    .isLessThan(hiccups.fair(Duration.ofMillis(15), 2));
            return true;
        }
    }

    /** Each session may report once that its connection broke. */
    private static void reconnect(JdbcClient client) {
        Waiting.until("all sessions work", () -> {
            try {
                holdOnEverySession(client, "connected " + client.next());
                return true;
            } catch (Exception broken) {
                return false;
            }
        });
    }

    @ParameterizedTest
    @MethodSource("servers")
    @Tag("serial")
    @DisplayName("P22: store_isClosedInASecond_whileItsServerIsSilent")
    void store_isClosedInASecond_whileItsServerIsSilent(String uri) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (JvmHiccups hiccups = new JvmHiccups()) {
            through(uri, (client, proxy) -> {
                holdOnEverySession(client, "silent");
                proxy.blackHole();
                List<Future<?>> calls = new ArrayList<>();
                for (int i = 0; i < 2 * SESSIONS; i++) {
                    String name = "asked " + i;
                    calls.add(threads.submit(() -> client.hold(Resource.lock(name))));
                }
                TimeUnit.MILLISECONDS.sleep(300);
                Deadline start = Deadline.in(0);
                client.close();
                Duration took = Duration.ofNanos(-start.leftNanos());
                System.out.println(uri + ": closed in " + took);
                assertThat(took).isLessThan(hiccups.fair(Duration.ofMillis(1_500), 3));
                // And each call ends, at the latest when its own time is over.
                for (Future<?> call : calls) {
                    assertThat(failureOf(call)).isInstanceOf(StoreFailure.class);
                }
            });
        } finally {
            threads.shutdownNow();
        }
    }

    private static Throwable failureOf(Future<?> call) throws Exception {
        try {
            call.get(30, TimeUnit.SECONDS);
            throw new AssertionError("answered by a silent server");
        } catch (ExecutionException failed) {
            return failed.getCause();
        }
    }
}
