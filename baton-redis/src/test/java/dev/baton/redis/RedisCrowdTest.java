package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.RedisServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Timings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long queues: the requests of a call to the server's data do not depend on the number of waiters. */
@Timeout(120)
class RedisCrowdTest {
    private static final int FEW = 16;
    private static final int MANY = Boolean.getBoolean("baton.nightly") ? 10_000 : 2_000;

    /** The most that one call may request beside its own: 32 tickets to search, 32 to pass, each removed and noted. */
    private static final int MOST_WORDS = 32 * 8 + 32 * 8;

    private static final String NAME = "crowd";
    private static final long PRESENCE = Timings.DEFAULTS.presenceMicros();

    private final AtomicLong micros = new AtomicLong(TimeUnit.DAYS.toMicros(20_000));
    private RedisServer server;
    private PlainStore client;

    /** The holder, and its token. */
    private Acquire holder;

    private long token;

    @BeforeEach
    void start() throws Exception {
        server = RedisServer.start();
        client = new PlainStore(server.uri(), Timings.DEFAULTS, micros::get);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private List<Acquire> crowd(int count) throws Exception {
        // The bucket stays: a server without it would have forgotten something.
        server.command("DEL", Clients.recordKey(NAME), Clients.queueKey(NAME), Clients.gapsKey(NAME));
        holder = client.command(NAME, 1);
        token = ((Acquire.Granted) client.acquire(holder)).token();
        List<Acquire> waiting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiting.add(enqueue());
        }
        return waiting;
    }

    private Acquire enqueue() throws Exception {
        Acquire asked = client.command(NAME, 7);
        assertThat(client.acquire(asked)).isInstanceOf(Acquire.Queued.class);
        return asked;
    }

    /** Hands the lock to the next client, and queues the former holder again. */
    private void handOver(Acquire next) throws Exception {
        client.pushes().clear();
        assertThat(client.release(holder, token)).isTrue();
        Push push = client.pushes().poll(20, TimeUnit.SECONDS);
        assertThat(push).isNotNull();
        assertThat(push.attempt()).isEqualTo(next.attempt().value());
        holder = next;
        token = push.token();
    }

    private int positionOf(Acquire waiting) throws Exception {
        return ((Heartbeat.Waiting) client.poll(waiting)).position();
    }

    /** Returns the words that the server was asked, by operation. */
    private Map<String, Integer> words(Monitored monitored, int count, boolean someLeave) throws Exception {
        List<Acquire> waiting = crowd(count);
        if (someLeave) {
            for (int i = count - 6; i > 0; i -= 10) {
                client.cancel(waiting.remove(i));
            }
        }
        int size = waiting.size();
        Acquire last = waiting.get(size - 1);
        Map<String, Integer> words = new LinkedHashMap<>();
        words.put(
                "beat of the last",
                monitored.words(() -> assertThat(positionOf(last)).isEqualTo(size - 1)));
        words.put("beat of one in the middle", monitored.words(() -> positionOf(waiting.get(size / 2))));
        words.put("beat of the holder", monitored.words(() -> client.confirm(holder, token, "plain")));
        words.put("another one queues", monitored.words(() -> waiting.add(enqueue())));
        words.put("time-out in the middle", monitored.words(() -> client.cancel(waiting.remove(size / 2 + 1))));
        words.put("hand-over", monitored.words(() -> handOver(waiting.remove(0))));
        words.put("next hand-over", monitored.words(() -> handOver(waiting.remove(0))));
        return words;
    }

    @ParameterizedTest(name = "{displayName}, a tenth left: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("P27 P28: calls_onALongQueue_askForNoMoreThanOnAShortOne")
    void calls_onALongQueue_askForNoMoreThanOnAShortOne(boolean someLeave) throws Exception {
        try (Monitored monitored = new Monitored(server)) {
            Map<String, Integer> few = words(monitored, FEW, someLeave);
            Map<String, Integer> many = words(monitored, MANY, someLeave);
            System.out.println(FEW + " wait: " + few + "; " + MANY + " wait: " + many);
            assertThat(many).isEqualTo(few);
        }
    }

    @Test
    @DisplayName("P27 P16: silentClients_areDroppedAFewACall_andPositionsAreExactThen")
    void silentClients_areDroppedAFewACall_andPositionsAreExactThen() throws Exception {
        try (Monitored monitored = new Monitored(server)) {
            List<Acquire> waiting = crowd(MANY);
            micros.addAndGet(PRESENCE / 2);
            List<Acquire> alive = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                if (i % 10 != 3) {
                    alive.add(waiting.get(i));
                }
            }
            client.pollAll(alive);
            client.confirm(holder, token, "plain");
            micros.addAndGet(PRESENCE / 2);
            Acquire last = alive.get(alive.size() - 1);
            int calls = 0;
            int position;
            int most = 0;
            do {
                int[] told = new int[1];
                most = Math.max(most, monitored.words(() -> told[0] = positionOf(last)));
                position = told[0];
                calls++;
            } while (position > alive.size() - 1 && calls < MANY);
            System.out.println("dropped in " + calls + " calls of at most " + most + " words");
            assertThat(position).isEqualTo(alive.size() - 1);
            assertThat(calls).isLessThanOrEqualTo(MANY / 32 + 2);
            assertThat(most).isLessThanOrEqualTo(MOST_WORDS);
        }
    }

    @Test
    @DisplayName("P27 P16: firstLivingTicket_behindACrowdOfSilentOnes_isToldToAskAtOnce_andIsGranted")
    void firstLivingTicket_behindACrowdOfSilentOnes_isToldToAskAtOnce_andIsGranted() throws Exception {
        try (Monitored monitored = new Monitored(server)) {
            crowd(MANY);
            micros.addAndGet(PRESENCE - 1);
            Acquire living = enqueue();
            client.confirm(holder, token, "plain");
            micros.addAndGet(1);
            int most = monitored.words(
                    () -> assertThat(client.release(holder, token)).isTrue());
            int calls = 0;
            Heartbeat.TicketReply[] told = {null};
            do {
                most = Math.max(most, monitored.words(() -> told[0] = client.poll(living)));
                calls++;
                if (told[0] instanceof Heartbeat.Waiting) {
                    assertThat(told[0]).isEqualTo(new Heartbeat.Waiting(0, 1));
                }
            } while (told[0] instanceof Heartbeat.Waiting && calls < MANY);
            System.out.println("granted after " + calls + " calls of at most " + most + " words");
            assertThat(told[0]).isInstanceOf(Heartbeat.TicketGranted.class);
            assertThat(calls).isLessThanOrEqualTo(MANY / 32);
            assertThat(most).isLessThanOrEqualTo(MOST_WORDS);
        }
    }

    /** About 20 us for a ticket or a contended hold, 30 for a hand-over, 4 for a ticket whose presence is renewed. */
    @Test
    @DisplayName("P27: calls_thatWorkOnManyContendedNames_areCutIntoShortOnes")
    void calls_thatWorkOnManyContendedNames_areCutIntoShortOnes() throws Exception {
        List<Acquire> waiting = new ArrayList<>();
        List<Release> releases = new ArrayList<>();
        List<Heartbeat.Hold> holds = new ArrayList<>();
        for (int i = 0; i < 128; i++) {
            Acquire each = client.command("name " + i, 1);
            token = ((Acquire.Granted) client.acquire(each)).token();
            releases.add(client.releaseOf(each, token));
            holds.add(client.holdOf(each, token, "plain"));
            Acquire next = client.command("name " + i, 1);
            client.acquire(next);
            waiting.add(next);
        }
        Heartbeat heartbeat = new Heartbeat(CommandNumber.of(1_000), holds, List.of());
        client.store().heartbeat(heartbeat, PlainStore.TIMEOUT_NANOS);
        assertThat(calls(() -> client.store().heartbeat(heartbeat, PlainStore.TIMEOUT_NANOS)))
                .as("of 128 contended holds")
                .isEqualTo(4);
        assertThat(calls(() -> client.pollAll(waiting))).as("of 128 tickets").isEqualTo(4);
        assertThat(calls(() -> client.store().releaseAll(releases, PlainStore.TIMEOUT_NANOS)))
                .as("of 128 hand-overs")
                .isEqualTo(6);
    }

    private long calls(Monitored.Calls work) throws Exception {
        server.resetStats();
        work.run();
        return server.calls("evalsha");
    }

    @Test
    @DisplayName("P27: inspect_ofACrowd_showsAllInOrder_inShortCalls")
    void inspect_ofACrowd_showsAllInOrder_inShortCalls() throws Exception {
        List<Acquire> waiting = crowd(MANY);
        client.cancel(waiting.remove(MANY / 2));
        List<Long> attempts =
                waiting.stream().map(each -> each.attempt().value()).toList();
        try (Monitored monitored = new Monitored(server)) {
            List<ResourceView> seen = new ArrayList<>();
            server.resetStats();
            int words = monitored.words(() -> {
                client.store().inspect(NAME, PlainStore.TIMEOUT_NANOS).ifPresent(seen::add);
                seen.addAll(client.store().list("cr", "", 3, PlainStore.TIMEOUT_NANOS));
            });
            assertThat(seen).hasSize(2).allSatisfy(view -> {
                assertThat(view.holds()).hasSize(1);
                assertThat(view.tickets())
                        .extracting(ResourceView.Ticket::attempt)
                        .isEqualTo(attempts);
            });
            assertThat(words / server.calls("evalsha")).isLessThan(128 + 10);
        }
    }

    @Test
    void keysOfAQueue_endWithIt_alsoWhereTicketsLeft() throws Exception {
        List<Acquire> waiting = crowd(100);
        for (int i = 98; i > 0; i -= 2) {
            client.cancel(waiting.remove(i));
        }
        assertThat(RedisFixture.keys(server, "g:*")).isEqualTo(1);
        assertThat((Long) server.command("PTTL", Clients.gapsKey(NAME))).isPositive();
        while (!waiting.isEmpty()) {
            assertThat(positionOf(waiting.get(waiting.size() - 1))).isEqualTo(waiting.size() - 1);
            handOver(waiting.remove(0));
        }
        assertThat(client.release(holder, token)).isTrue();
        assertThat(RedisFixture.keys(server, "[rqg]:*")).isZero();
    }
}
