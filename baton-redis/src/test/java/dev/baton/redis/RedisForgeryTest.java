package dev.baton.redis;

import static dev.baton.redis.Clients.PATIENCE;
import static dev.baton.redis.Clients.queued;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.redis.RespReader.RespError;
import dev.baton.servers.RedisServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.tck.StoreFixture;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/** A user without any key, who may publish and see the subscribers, claims that locks were granted. */
@Timeout(300)
class RedisForgeryTest {
    private static final int EACH = Boolean.getBoolean("baton.nightly") ? 100_000 : 4_000;
    private static final int LARGE_ONES = 20;
    private static final long SECRET = 0x8123_4567_89AB_CDEFL;

    private final Clients clients = new Clients();
    private final Random random = new Random(1);
    private RedisServer server;

    @BeforeEach
    void start() {
        server = RedisServer.builder()
                .aclUser("user evil on >evil resetkeys resetchannels &* -@all +publish +pubsub|channels +info")
                .start();
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    private Baton connect() {
        return clients.connect(
                server.uri(),
                BatonOptions.builder().namespace(StoreFixture.NAMESPACE).build());
    }

    // ---- the stored data, and who can read it ---------------------------------------------------------------------

    @Test
    void secret_isInThePush_andInNoNameAndNoAnswer() throws Exception {
        try (PlainStore one = new PlainStore(server.uri());
                PlainStore two = new PlainStore(server.uri())) {
            Acquire held = one.command("own", 5);
            Acquire.Granted granted = (Acquire.Granted) one.acquire(held);
            Acquire waiting = two.command("own", SECRET);
            assertThat(two.acquire(waiting)).isInstanceOf(Acquire.Queued.class);
            // A heartbeat renews its presence, which writes the ticket anew.
            assertThat(two.poll(waiting)).isInstanceOf(Heartbeat.Waiting.class);
            assertThat(one.store()
                            .inspect("own", PATIENCE.toNanos())
                            .orElseThrow()
                            .tickets())
                    .singleElement()
                    .satisfies(ticket -> assertThat(ticket.secret()).isZero());
            assertThat(server.command("KEYS", "*").toString() + server.command("PUBSUB", "CHANNELS"))
                    .doesNotContain(Long.toString(SECRET))
                    .doesNotContain(Long.toUnsignedString(SECRET))
                    .doesNotContain(Long.toHexString(SECRET));
            assertThat(one.release(held, granted.token())).isTrue();
            Push push = two.pushes().poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(push.secret()).isEqualTo(SECRET);
            assertThat(push.attempt()).isEqualTo(waiting.attempt().value());
            assertThat(push.name()).isEqualTo("own");
        }
    }

    // ---- forgeries -------------------------------------------------------------------------------------------------

    @Test
    void forgedPushes_ofEveryForm_areBelievedByNobody_andCostNoConnection() throws Exception {
        Baton one = connect();
        Baton two = connect();
        String[] forms = {"guessed", "no secret", "huge token", "two bytes", "odd numbers", "random", "wrong server"};
        try (Jedis data = new Jedis(server.host(), server.port());
                Forger forger = new Forger()) {
            RedisFence fence = new RedisFence(data, "fence");
            Lease lease = one.lock("x").acquire();
            fence.raise(lease);
            CompletableFuture<Lease> waiter = two.lock("x").acquireAsync();
            until("queued", () -> queued(one, "x") == 1);
            Set<String> before = connections();
            for (String form : forms) {
                forger.publish(form, EACH);
                assertThat(waiter).as(form).isNotDone();
                assertThat(lease.isHeld()).as(form).isTrue();
            }
            forger.publish("a megabyte", LARGE_ONES);
            heardAll(one, two);
            assertThat(waiter).isNotDone();
            assertThat(lease.isHeld()).isTrue();
            assertThat(connections()).isEqualTo(before);
            fence.raise(lease);
            assertThat(data.get("fence")).isEqualTo(Long.toString(lease.token()));
            server.resetStats();
            lease.close();
            Lease next = waiter.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(next.token()).isGreaterThan(lease.token());
            fence.raise(next);
            next.close();
        }
        assertThat(one.admin().examine().facts().get("ignored messages")).contains("no pushes");
    }

    @Test
    void handOver_amongForgedPushes_staysTwoScriptCallsAndOnePublish() throws Exception {
        Baton one = connect();
        Baton two = connect();
        try (Forger forger = new Forger()) {
            Lease lease = one.lock("x").acquire();
            int rounds = 50;
            long scripts = 0;
            long publishes = 0;
            long start = System.nanoTime();
            for (int i = 0; i < rounds; i++) {
                Baton next = i % 2 == 0 ? two : one;
                server.resetStats();
                CompletableFuture<Lease> waiter = next.lock("x").acquireAsync();
                until("queued", () -> server.calls("evalsha") >= 1);
                long calls = server.calls("publish");
                forger.publish("guessed", 50);
                forger.publish("two bytes", 50);
                publishes -= server.calls("publish") - calls;
                lease.close();
                lease = waiter.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                scripts += server.calls("evalsha");
                publishes += server.calls("publish");
            }
            lease.close();
            System.out.println(scripts + " script calls and " + publishes + " publishes in " + rounds + " hand-overs");
            assertThat(publishes).isEqualTo(rounds);
            // A waiting ticket polls once a second, and rounds take a few milliseconds if nothing stalls.
            long seconds = Clients.since(start).toSeconds();
            assertThat(scripts).isBetween(2L * rounds, 2L * rounds + 5 + seconds);
        }
    }

    private Set<String> connections() {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains("name=baton-"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .collect(Collectors.toSet());
    }

    /** Hands over in both directions: every message published before the hand-over's push has then been read. */
    private static void heardAll(Baton one, Baton two) throws Exception {
        for (Baton from : List.of(one, two)) {
            Baton to = from == one ? two : one;
            Lease lease = from.lock("behind").acquire();
            CompletableFuture<Lease> waiter = to.lock("behind").acquireAsync();
            until("queued", () -> queued(from, "behind") == 1);
            lease.close();
            waiter.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
        }
    }

    /** The forging user. */
    private final class Forger implements AutoCloseable {
        private final Wire wire;
        private final RespReader reader = new RespReader();
        private final List<String> channels = new ArrayList<>();
        private final byte[] runId;

        Forger() throws IOException {
            wire = new SocketWire(new Socket(server.host(), server.port()), "");
            ask("AUTH", "evil", "evil");
            assertThat(ask("GET", Clients.bucketKey("x"))).isInstanceOf(RespError.class);
            for (Object channel : (List<?>) ask("PUBSUB", "CHANNELS", "*:push:*")) {
                channels.add(RespReader.text(channel));
            }
            assertThat(channels).hasSizeGreaterThan(1);
            runId = server.info("server").get("run_id").getBytes(StandardCharsets.US_ASCII);
        }

        private Object ask(String... words) throws IOException {
            RespWriter out = new RespWriter().command(words.length);
            for (String word : words) {
                out.bulk(word);
            }
            wire.send(out.bytes(), out.size());
            return answer();
        }

        private Object answer() throws IOException {
            Object answer = reader.next();
            while (answer == null) {
                assertThat(reader.fill(wire, PATIENCE.toNanos())).isTrue();
                answer = reader.next();
            }
            return answer;
        }

        /** Publishes to each client in turn, with few enough unread messages that no client falls behind. */
        void publish(String form, int count) throws IOException {
            RespWriter out = new RespWriter();
            int sent = 0;
            for (int i = 0; i < count; i++) {
                byte[] message = message(form, i);
                out.command(3).bulk("PUBLISH").bulk(channels.get(i % channels.size()));
                out.begin(message.length).part(message).end();
                sent++;
                if (sent == 500 || out.size() > 500_000 || i == count - 1) {
                    wire.send(out.bytes(), out.size());
                    for (; sent > 0; sent--) {
                        assertThat(answer()).isEqualTo(1L);
                    }
                    out.truncate(0);
                }
            }
        }

        private byte[] message(String form, int i) {
            long now = System.currentTimeMillis() * 1_000;
            double attempt = 1 + i / channels.size() % 1_000;
            double token = (now - 1_700_000_000_000_000.0) / 62.5;
            return switch (form) {
                case "guessed" -> push(attempt, token, now + 6e7, now, random.nextLong(), runId, "x");
                case "no secret" -> push(attempt, token, now + 6e7, now, 0, runId, "x");
                case "huge token" -> push(attempt, Math.pow(2, 44 + i % 20), now + 6e7, now, i, runId, "x");
                case "two bytes" -> new byte[] {1, 2};
                case "odd numbers" -> push(odd(i), odd(i + 1), odd(i + 2), odd(i + 3), i, runId, "x");
                case "random" -> {
                    byte[] bytes = new byte[1 + i % 1_200];
                    random.nextBytes(bytes);
                    yield bytes;
                }
                case "wrong server" -> push(attempt, token, now + 6e7, now, i, new byte[Answer.RUN_ID_LENGTH], "x");
                default -> new byte[1 << 20];
            };
        }

        private double odd(int i) {
            double[] odd = {Double.NaN, -1, 0.5, Double.POSITIVE_INFINITY, 1e300, -0.0, 7};
            return odd[i % odd.length];
        }

        private static byte[] push(
                double attempt, double token, double deadline, double now, long secret, byte[] runId, String name) {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(5 * Long.BYTES + runId.length + text.length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putDouble(attempt)
                    .putDouble(token)
                    .putDouble(deadline)
                    .putDouble(now)
                    .putLong(secret)
                    .put(runId)
                    .put(text)
                    .array();
        }

        @Override
        public void close() {
            wire.close();
        }
    }
}
