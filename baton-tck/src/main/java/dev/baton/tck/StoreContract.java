package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What every store must do, below the engine: one command, one answer, decided by the store's clock. A store's module
 * subclasses it with its own fixture. The module cannot leave a case out; it must declare in its
 * {@link dev.baton.spi.Capabilities} what its store cannot do.
 */
public abstract class StoreContract extends StoreNoteCases {
    /** For subclasses. */
    protected StoreContract() {}

    @Test
    @DisplayName("P32: names_ofAnyTextUpToOneKilobyte_areKeptApart")
    void names_ofAnyTextUpToOneKilobyte_areKeptApart() throws Exception {
        StoreClient client = stage.client();
        String longest = "\ud83d\udd12".repeat(Protocol.MAX_NAME_BYTES / 4 - 1);
        List<String> names = new ArrayList<>(List.of(
                "a",
                "A",
                "a ",
                " a",
                "it's \"quoted\"; DROP TABLE x --",
                "%_*?[a]^$\\",
                "{hash}tag:with/path#and?query=1",
                "line\nbreak\ttab\u0001control\u007f",
                "\u0000",
                "a\u0000",
                "a\u0000b",
                "\uffff",
                "\udbff\udfff",
                "na\u00efve \u4e2d\u6587 \u0627\u0644 \ud83d\udd12\ud83c\udfc3\u200d\u2640\ufe0f",
                "e\u0301",
                "\u00e9"));
        for (String last : List.of("abcd", "abce", "Abcd")) {
            assertThat((longest + last).getBytes(StandardCharsets.UTF_8)).hasSize(Protocol.MAX_NAME_BYTES);
            names.add(longest + last);
        }
        expectKeptApart(client, names);
    }

    @Test
    @DisplayName("P32: names_ofAllOfUnicode_nulIncluded_areNamesOfTheirOwn")
    void names_ofAllOfUnicode_nulIncluded_areNamesOfTheirOwn() throws Exception {
        List<String> names = new ArrayList<>(List.of(
                "stra\u00dfe",
                "STRA\u00dfE",
                "strasse",
                "stra\u1e9ee",
                "stra\u00dfe ",
                "stra\u00dfe\u00a0",
                "stra\u00dfe\u0000",
                "stra\u00dfe\u0000\u0000",
                "stra\u00df\u0000e",
                "\u0000stra\u00dfe",
                "\u0000",
                "\u212b",
                "\u00c5",
                "A\u030a",
                "i",
                "\u0131",
                "\u0130",
                "\u03c3",
                "\u03c2",
                "\u200b",
                "\u202e",
                "\ufeff",
                "\ufffd",
                "\ufffe",
                "\uffff",
                "\ud83d\ude00",
                "\ud83d\ude01",
                "\udbff\udfff",
                "?",
                ".",
                "..",
                "/",
                "//",
                "/a/",
                "a/../b",
                "a/./b",
                "%2F",
                "%00"));
        for (String last : List.of("\u0000", "/", ".", " ")) {
            names.add("n".repeat(Protocol.MAX_NAME_BYTES - 1) + last);
        }
        expectKeptApart(stage.client(), names);
    }

    private static void expectKeptApart(StoreClient client, List<String> names) throws StoreFailure {
        List<StoreClient.Held> holds = new ArrayList<>();
        for (String name : names) {
            holds.add(client.hold(Resource.lock(name)));
        }
        for (StoreClient.Held held : holds) {
            ResourceView view = client.inspect(held.resource());
            assertThat(view.resource()).isEqualTo(held.resource());
            assertThat(view.holds()).extracting(ResourceView.Hold::token).containsExactly(held.token());
            assertThat(client.renew(held)).isInstanceOf(Heartbeat.Renewed.class);
        }
        assertThat(client.store().list("", "", 100, StoreClient.TIMEOUT_NANOS))
                .extracting(view -> view.resource().name())
                .containsExactlyInAnyOrderElementsOf(names);
        for (StoreClient.Held held : holds) {
            assertThat(client.release(held)).isTrue();
        }
    }

    @Test
    @DisplayName("P32: names_inBulk_doNotContend")
    void names_inBulk_doNotContend() throws Exception {
        StoreClient client = stage.client();
        SplittableRandom random = new SplittableRandom(32);
        Set<String> names = new HashSet<>();
        while (names.size() < 3_000) {
            names.add(Long.toString(random.nextLong(), 36));
        }
        List<StoreClient.Held> holds = new ArrayList<>();
        for (String name : names) {
            holds.add(client.hold(Resource.lock(name)));
        }
        assertThat(client.heartbeat(holds.stream().map(held -> held.named(true)).toList(), List.of())
                        .holds())
                .hasSize(names.size())
                .hasOnlyElementsOfType(Heartbeat.Renewed.class);
        assertThat(client.store()
                        .releaseAll(holds.stream().map(client::releaseOf).toList(), StoreClient.TIMEOUT_NANOS))
                .allMatch(reply -> reply.released());
    }

    @Test
    void inspect_ofName_showsHoldsAndQueueAndChangesNothing() throws Exception {
        StoreClient owner = stage.client();
        assertThat(owner.isUnknown(LOCK)).isTrue();
        StoreClient.Held held = owner.hold(LOCK, 1, 5_000_000, 1_000);
        if (stage.capabilities().queue()) {
            stage.client().queue(LOCK, 0);
        }
        ResourceView view = owner.inspect(LOCK);
        assertThat(view.resource()).isEqualTo(LOCK);
        assertThat(view.stamp().nowMicros()).isEqualTo(stage.now());
        assertThat(view.holds())
                .containsExactly(new ResourceView.Hold(
                        owner.id(),
                        held.attempt(),
                        1,
                        held.token(),
                        held.deadlineMicros(),
                        1_000,
                        true,
                        false,
                        "by " + owner.id()));
        assertThat(view.tickets()).hasSize(stage.capabilities().queue() ? 1 : 0);
        stage.passMicros(5_000_000);
        assertThat(owner.store().inspect(LOCK.name(), StoreClient.TIMEOUT_NANOS).stream())
                .allSatisfy(later -> assertThat(later.holds()).isEmpty());
    }

    @Test
    void facts_nameTheVersion_andKeepSecrets() throws Exception {
        Map<String, String> facts = stage.client().store().facts(StoreClient.TIMEOUT_NANOS);
        assertThat(facts.get("version")).as("the version in %s", facts).isNotBlank();
        assertThat(facts.values()).allSatisfy(value -> assertThat(value).isNotBlank());
        String login = URI.create(stage.fixture().uri()).getUserInfo();
        if (login != null) {
            assertThat(facts.toString()).doesNotContain(login.substring(login.indexOf(':') + 1));
        }
    }

    @Test
    void list_withPrefixAndLimit_showsLivingNamesInOrder() throws Exception {
        StoreClient client = stage.client();
        for (String name : List.of("b:3", "a:1", "b:1", "c:1", "b:2", "b", "b;")) {
            client.hold(Resource.lock(name));
        }
        client.hold(Resource.lock("b:0"), 1, 1_000_000, 0);
        client.release(client.hold(Resource.lock("b:1a")));
        Resource shared = stage.shared("b:9");
        client.hold(shared, Math.min(2, shared.capacity()));
        stage.passMicros(1_000_000);
        assertThat(listed(client, "b:", 100)).containsExactly("b:1", "b:2", "b:3", "b:9");
        assertThat(listed(client, "b:", 2)).containsExactly("b:1", "b:2");
        assertThat(listed(client, "", 100)).containsExactly("a:1", "b", "b:1", "b:2", "b:3", "b:9", "b;", "c:1");
        assertThat(listed(client, "zzz", 100)).isEmpty();
    }

    @Test
    void list_afterAName_goesOnThere_inTheOrderOfBytes() throws Exception {
        StoreClient client = stage.client();
        // In UTF-16 the last two stand the other way round.
        List<String> names = List.of("p:a", "p:b", "p:c", "p:\u00e4", "p:\uff5e", "p:\ud83d\ude00");
        for (String name : names) {
            client.hold(Resource.lock(name));
        }
        client.hold(Resource.lock("o"));
        client.hold(Resource.lock("q"));
        assertThat(listed(client, "p:", "", 100)).isEqualTo(names);
        assertThat(listed(client, "p:", "a", 2)).containsExactly("p:a", "p:b");
        assertThat(listed(client, "p:", "p:b", 2)).containsExactly("p:c", "p:\u00e4");
        assertThat(listed(client, "p:", "p:ba", 2)).containsExactly("p:c", "p:\u00e4");
        assertThat(listed(client, "p:", "p:\u00e4", 2)).containsExactly("p:\uff5e", "p:\ud83d\ude00");
        assertThat(listed(client, "p:", "p:\ud83d\ude00", 2)).isEmpty();
        assertThat(listed(client, "", "p:\uff5e", 100)).containsExactly("p:\ud83d\ude00", "q");
    }

    private static List<String> listed(StoreClient client, String prefix, int limit) throws StoreFailure {
        return listed(client, prefix, "", limit);
    }

    private static List<String> listed(StoreClient client, String prefix, String after, int limit) throws StoreFailure {
        return client.store().list(prefix, after, limit, StoreClient.TIMEOUT_NANOS).stream()
                .map(view -> view.resource().name())
                .toList();
    }

    @Test
    void namespaceId_ofClientsThatAreTheFirstTogether_isOne_andStays() throws Exception {
        int clients = 6;
        CountDownLatch ready = new CountDownLatch(clients);
        List<Work<String>> first = new ArrayList<>();
        for (int i = 1; i <= clients; i++) {
            int number = i;
            first.add(Mode.SYNC.start(() -> {
                ready.countDown();
                ready.await();
                return namespaceId(StoreFixture.NAMESPACE, number);
            }));
        }
        Set<String> found = new HashSet<>();
        for (Work<String> each : first) {
            found.add(each.get());
        }
        found.add(namespaceId(StoreFixture.NAMESPACE, clients + 1));
        assertThat(found).singleElement().asString().matches("[0-9a-f]{32}");
        assertThat(namespaceId(StoreFixture.OTHER_NAMESPACE, 1))
                .matches("[0-9a-f]{32}")
                .isNotIn(found);
    }

    private String namespaceId(String namespace, int client) throws StoreFailure {
        String id = String.format("%032x", client);
        try (StoreClient connected =
                new StoreClient(id, listener -> stage.fixture().openIn(namespace, id, Timings.DEFAULTS, listener))) {
            return connected.store().namespaceId();
        }
    }

    @Test
    void server_inAllAnswers_isTheSame() throws Exception {
        StoreClient a = stage.client();
        StoreClient b = stage.client();
        StoreClient.Held held = a.hold(LOCK);
        Set<String> runIds = new HashSet<>();
        String seenByB = b.tryAcquire(LOCK, 1).stamp().runId();
        assertThat(seenByB).isNotEmpty();
        if (stage.capabilities().session() == null) {
            runIds.add(seenByB);
        }
        runIds.add(a.heartbeat(List.of(held.named(true)), List.of()).stamp().runId());
        runIds.add(a.cancel(Resource.lock("x"), a.nextNumber()).runId());
        runIds.add(a.inspect(LOCK).stamp().runId());
        runIds.add(a.store()
                .release(a.releaseOf(held), StoreClient.TIMEOUT_NANOS)
                .stamp()
                .runId());
        assertThat(runIds).hasSize(1).doesNotContain("");
    }

    @Test
    @DisplayName("P29: residue_afterAllIsOver_returnsToBase")
    void residue_afterAllIsOver_returnsToBase() throws Exception {
        StoreClient client = stage.client();
        long base = stage.fixture().residue();
        assertThat(base).isZero();
        StoreClient dead = stage.client();
        for (int i = 0; i < 300; i++) {
            client.release(client.hold(Resource.lock("released " + i)));
            client.cancel(Resource.lock("cancelled " + i), client.nextNumber());
            dead.hold(Resource.lock("dead " + i), 1, 5_000_000, i);
            Resource shared = stage.shared("shared " + i);
            int weight = Math.min(2, shared.capacity());
            dead.acquire(shared, weight, dead.nextNumber(), 5_000_000, 0, Acquire.Mode.QUEUE);
            client.acquire(shared, weight, client.nextNumber(), 5_000_000, 0, Acquire.Mode.QUEUE);
        }
        stage.pass(Duration.ofSeconds(30));
        useOtherNames(client, 2_000);
        stage.passMicros(Protocol.MARK_MICROS);
        // A later command cleans up a dead name; a store that needs commands for this gets some. Counting may take
        // its own connection.
        for (int i = 0; i < 1_000 && (i % 10 != 0 || stage.fixture().residue() > base); i++) {
            StoreClient.Held held = client.hold(LOCK);
            stage.pass(Duration.ofSeconds(2));
            client.heartbeat(List.of(held.named(true)), List.of());
            client.release(held);
            stage.pass(Duration.ofSeconds(2));
            if (!stage.capabilities().durable()) {
                comeBy(client, i);
            }
        }
        client.close();
        assertThat(stage.fixture().residue()).isEqualTo(base);
    }

    /** A store that forgets with its process may keep dead names until a client asks for them. */
    private void comeBy(StoreClient client, int i) throws StoreFailure {
        if (i < 300) {
            client.cancel(Resource.lock("dead " + i), client.nextNumber());
            client.cancel(stage.shared("shared " + i), client.nextNumber());
        }
    }

    @Test
    @DisplayName("P8, P21: threadsOfTwoClients_countingUnderALock_loseNothing")
    void threadsOfTwoClients_countingUnderALock_loseNothing() throws Exception {
        List<StoreClient> clients = List.of(stage.client(null), stage.client(null));
        int threads = 6;
        StoreCounter counter = new StoreCounter(LOCK, 60);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                StoreClient client = clients.get(i % clients.size());
                runs.add(executor.submit(() -> counter.run(client)));
            }
            for (Future<?> run : runs) {
                run.get(60, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(counter.count()).isEqualTo(threads * 60);
        assertThat(clients.get(0).isUnknown(LOCK)).isTrue();
    }

    /** One try: call time, answer time, and the answer. */
    private record Try(long called, long answered, Acquire.Reply reply) {
        boolean granted() {
            return reply instanceof Acquire.Granted;
        }
    }

    @Test
    @DisplayName("P35: tries_ofSixClients_onceTheLockIsFree_areNotRefusedForNothing")
    void tries_ofSixClients_onceTheLockIsFree_areNotRefusedForNothing() throws Exception {
        StoreClient holder = stage.client(null);
        List<StoreClient> others = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            others.add(stage.client(null));
        }
        ExecutorService executor = Executors.newFixedThreadPool(others.size());
        try {
            for (int round = 0; round < 5; round++) {
                StoreClient.Held held = holder.hold(LOCK);
                CountDownLatch refused = new CountDownLatch(others.size());
                AtomicBoolean over = new AtomicBoolean();
                List<Future<List<Try>>> running = new ArrayList<>();
                for (StoreClient other : others) {
                    running.add(executor.submit(() -> tries(other, refused, over)));
                }
                assertThat(refused.await(20, TimeUnit.SECONDS)).isTrue();
                holder.release(held);
                long free = System.nanoTime();
                List<Try> all = new ArrayList<>();
                for (Future<List<Try>> each : running) {
                    all.addAll(each.get(60, TimeUnit.SECONDS));
                }
                expectNoneRefusedForNothing(all, free);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    /**
     * Tries until one client among all gets the lock. The first try of a client may join a queue for a moment, and make
     * others fail; so the lock becomes free when every client has tried.
     */
    private static List<Try> tries(StoreClient client, CountDownLatch refused, AtomicBoolean over) throws StoreFailure {
        List<Try> tries = new ArrayList<>();
        while (!over.get()) {
            long called = System.nanoTime();
            long attempt = client.nextNumber();
            Acquire.Reply reply = client.acquire(LOCK, 1, attempt, StoreClient.LEASE, 0, Acquire.Mode.TRY);
            Try answered = new Try(called, System.nanoTime(), reply);
            tries.add(answered);
            if (answered.granted()) {
                over.set(true);
                client.release(StoreClient.held(LOCK, attempt, 1, reply));
            }
            if (tries.size() == 1) {
                refused.countDown();
            }
        }
        return tries;
    }

    /** Asserts that no try was refused while the lock was free: called after the release, answered before the win. */
    private static void expectNoneRefusedForNothing(List<Try> tries, long free) {
        long won =
                tries.stream().filter(Try::granted).mapToLong(Try::called).min().orElseThrow();
        assertThat(tries.stream().filter(each -> each.called() - free > 0 && each.answered() - won < 0))
                .as("tries refused although nobody had the lock since %d", free)
                .isEmpty();
    }
}
