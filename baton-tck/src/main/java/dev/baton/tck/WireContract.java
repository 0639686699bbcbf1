package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Promises that must hold when the network between a client and its store breaks below the driver: for every store
 * behind a socket. This also tests the driver's own reconnects, pools and time limits.
 */
@Tag("serial")
@Timeout(120)
public abstract class WireContract {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration CONNECT = Duration.ofSeconds(20);
    private static final int LOCKS = 5;
    private static final Set<BatonEvent.Type> OUTAGE = Set.of(BatonEvent.Type.STORE_SILENT, BatonEvent.Type.STORE_BACK);

    /** Enough concurrent callers to make a client open all connections that it may have. */
    private static final int CROWD = 16;

    /** By then, once the server is reachable, the client has undone its unanswered requests. */
    private static final Duration UNDONE = Duration.ofSeconds(10);

    /** By then the client has given up a silent connection and uses another one. */
    private static final Duration GIVEN_UP = Duration.ofSeconds(6);

    private static final Duration SHORT_LEASE = Duration.ofSeconds(1);

    private StoreFixture fixture;
    private Detour detour;
    private TcpProxy proxy;
    private JvmHiccups hiccups;
    private Baton witness;
    private String address;

    /** For subclasses; the fixture is made before each case. */
    @SuppressWarnings("NullAway") // set before each case
    protected WireContract() {}

    /**
     * Makes a fresh, empty store.
     *
     * @return the store; closed after the case
     * @throws Exception if it cannot be made
     */
    protected abstract StoreFixture newFixture() throws Exception;

    @BeforeEach
    final void openStore() throws Exception {
        fixture = newFixture();
        assertThat(fixture.capabilities().reach()).isEqualTo(Capabilities.Reach.NETWORK);
        detour = Detour.to(fixture);
        proxy = detour.proxy();
        address = detour.uri();
        hiccups = new JvmHiccups();
        witness = connect(fixture.uri());
    }

    @AfterEach
    final void closeStore() throws Exception {
        witness.close();
        hiccups.close();
        detour.close();
        fixture.close();
    }

    private static BatonOptions.Builder options() {
        return BatonOptions.builder()
                .namespace(StoreFixture.NAMESPACE)
                .leaseTime(LEASE)
                .grace(LEASE)
                .connectTimeout(CONNECT);
    }

    private static Baton connect(String uri) {
        return Baton.connect(uri, options().build());
    }

    /** Connects a client below the engine, because the engine would ask again. */
    private StoreClient storeClient(String id, String uri) throws StoreFailure {
        return new StoreClient(
                id,
                listener -> fixture.provider()
                        .open(new StoreConfig(
                                URI.create(uri),
                                StoreFixture.NAMESPACE,
                                id.repeat(32),
                                Timings.withGrace(LEASE),
                                CONNECT,
                                List.of(),
                                listener)));
    }

    /**
     * Returns the same address with sessions that outlast every outage of these cases, so that none ends by itself.
     *
     * @param uri an address of the fixture's store
     * @return the address, unchanged if the store has no sessions
     */
    protected String withLongSession(String uri) {
        return uri;
    }

    /**
     * Returns how long the store's driver may pause before it connects again.
     *
     * @return zero, unless the store's page says otherwise
     */
    protected Duration driversPause() {
        return Duration.ZERO;
    }

    /** Longer than a healthy store takes; G and leases are much longer. */
    private Duration atOnce() {
        return hiccups.fair(Duration.ofSeconds(5).plus(driversPause()), 4);
    }

    private static List<Lease> lock(Baton client, String prefix) throws InterruptedException {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            leases.add(client.lock(prefix + i).acquire());
        }
        return leases;
    }

    @Test
    @DisplayName("P34: close_afterTheConnectionWasCut_freesEverythingOnceTheServerIsReachable")
    void close_afterTheConnectionWasCut_freesEverythingOnceTheServerIsReachable() throws Exception {
        for (long outageMillis : new long[] {0, 33, 500}) {
            Baton client = connect(withLongSession(address));
            List<Lease> leases = lock(client, "cut " + outageMillis + " ");
            if (outageMillis > 0) {
                proxy.refuse();
            }
            proxy.cut();
            Work<Boolean> closing = Mode.SYNC.start(() -> {
                client.close();
                return true;
            });
            ClientContract.pause(Duration.ofMillis(outageMillis));
            proxy.forward();
            String prefix = "cut " + outageMillis;
            ClientContract.within(
                    atOnce(),
                    "free after an outage of " + outageMillis + " ms",
                    () -> witness.admin().list(prefix, LOCKS).isEmpty());
            assertThat(closing.get(Duration.ofSeconds(20))).isTrue();
            assertThat(leases).noneMatch(Lease::isHeld);
        }
    }

    @Test
    @DisplayName("P15: close_duringAnOutage_endsInItsTimeAndSaysWhatIsLeft")
    void close_duringAnOutage_endsInItsTimeAndSaysWhatIsLeft() throws Exception {
        Duration limit = Duration.ofSeconds(2);
        Baton client = Baton.connect(address, options().storeTimeout(limit).build());
        lock(client, "outage ");
        proxy.blackHole();
        try (LogWatch log = new LogWatch()) {
            long start = System.nanoTime();
            client.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(hiccups.fair(limit.plusSeconds(3), 4));
            assertThat(log.warnings()).anyMatch(warning -> warning.contains(LOCKS + " locks"));
        }
    }

    @Test
    @DisplayName("P21: store_closedWhileItsServerCannotBeReached_takesLessThanASecond")
    void store_closedWhileItsServerCannotBeReached_takesLessThanASecond() throws Exception {
        List<Runnable> outages = List.of(proxy::blackHole, () -> {
            proxy.refuse();
            proxy.cut();
        });
        for (Runnable outage : outages) {
            proxy.forward();
            Resource lock = Resource.lock("held " + outages.indexOf(outage));
            Resource waitedFor = Resource.lock("waited for " + outages.indexOf(outage));
            try (StoreClient other = storeClient("b", fixture.uri())) {
                other.hold(waitedFor);
                StoreClient client = storeClient("a", withLongSession(address));
                client.hold(lock);
                if (fixture.capabilities().queue()) {
                    client.queue(waitedFor, 0);
                }
                outage.run();
                long called = System.nanoTime();
                client.close();
                assertThat(Duration.ofNanos(System.nanoTime() - called))
                        .isLessThan(hiccups.fair(Duration.ofSeconds(1), 4));
            }
        }
    }

    @Test
    @DisplayName("P4: client_whoseConnectionsAreCut_worksAgainAtOnceAndKeepsItsLeases")
    void client_whoseConnectionsAreCut_worksAgainAtOnceAndKeepsItsLeases() throws Exception {
        try (Baton client = connect(withLongSession(address))) {
            List<Lease> leases = lock(client, "kept ");
            for (int i = 0; i < 5; i++) {
                proxy.cut();
                String name = "after cut " + i;
                ClientContract.within(atOnce(), "works", () -> works(client, name));
            }
            assertThat(leases).allMatch(Lease::isHeld);
            assertThat(witness.admin().list("kept", LOCKS)).hasSize(LOCKS);
        }
    }

    @Test
    void outageOfFourSeconds_underLoad_isToldOnceWhenItBeginsAndOnceWhenItEnds() throws Exception {
        List<BatonEvent> told = new CopyOnWriteArrayList<>();
        BatonOptions telling = options()
                .listener(event -> {
                    if (OUTAGE.contains(event.type())) {
                        told.add(event);
                    }
                })
                .build();
        AtomicBoolean over = new AtomicBoolean();
        try (LogWatch log = new LogWatch();
                Baton client = Baton.connect(withLongSession(address), telling)) {
            List<Work<String>> load = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                String name = "load " + i % 3;
                load.add(Mode.SYNC.start(() -> useUntil(over, client.lock(name))));
            }
            // Threads that share a lock pass it on without the store. This one always has a request in flight.
            load.add(Mode.SYNC.start(() -> useUntil(over, client.lock("alone"))));
            ClientContract.pause(Duration.ofMillis(500));
            long start = System.nanoTime();
            proxy.blackHole();
            ClientContract.pause(Duration.ofSeconds(4));
            proxy.forward();
            proxy.cut();
            try {
                ClientContract.within(hiccups.fair(Duration.ofSeconds(10), 4), "told", () -> told.size() == 2);
            } catch (AssertionError late) {
                throw new AssertionError("told: " + told + "; logged: " + log.warnings(), late);
            }
            Duration outage = Duration.ofNanos(System.nanoTime() - start);
            ClientContract.pause(Duration.ofMillis(500));
            over.set(true);
            for (Work<String> each : load) {
                assertThat(each.get()).isEqualTo("done");
            }
            assertThat(told)
                    .extracting(BatonEvent::type)
                    .containsExactly(BatonEvent.Type.STORE_SILENT, BatonEvent.Type.STORE_BACK);
            assertThat(told.get(0).elapsed())
                    .isBetween(Duration.ofSeconds(1), hiccups.fair(Duration.ofMillis(2_500), 4));
            // Requests that were in flight when the silence began count as well.
            assertThat(told.get(1).elapsed()).isBetween(Duration.ofMillis(3_500), outage.plusSeconds(1));
            assertThat(log.warnings())
                    .filteredOn(warning -> warning.contains("has answered nothing"))
                    .hasSize(1);
        }
    }

    private static String useUntil(AtomicBoolean over, DistributedLock lock) throws InterruptedException {
        while (!over.get()) {
            try {
                lock.tryAcquire(Duration.ofSeconds(1)).ifPresent(Lease::close);
            } catch (StoreException outage) {
                ClientContract.pause(Duration.ofMillis(50));
            }
        }
        return "done";
    }

    @Test
    @DisplayName("P4: client_whoseConnectionsAreCutOneByOne_worksOnAndKeepsItsLeases")
    void client_whoseConnectionsAreCutOneByOne_worksOnAndKeepsItsLeases() throws Exception {
        try (Baton client = connect(withLongSession(address))) {
            List<Lease> leases = lock(client, "held ");
            int connections = openAll(client);
            for (int i = 0; i < connections; i++) {
                assertThat(proxy.cutOldest()).isTrue();
                String name = "without " + i;
                ClientContract.within(atOnce(), "works", () -> works(client, name));
            }
            assertThat(leases).allMatch(Lease::isHeld);
            assertThat(witness.admin().list("held", LOCKS)).hasSize(LOCKS);
        }
    }

    /** Makes a client open all connections that it may have, and returns how many there are. */
    private int openAll(Baton client) throws Exception {
        List<Work<Boolean>> crowd = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            String name = "crowd " + i;
            crowd.add(Mode.SYNC.start(() -> works(client, name)));
        }
        for (Work<Boolean> each : crowd) {
            assertThat(each.get()).isTrue();
        }
        return proxy.connections();
    }

    /** With a single connection none falls silent here, because there is no other one to go on with. */
    @Test
    @DisplayName("P15: client_allButOneOfWhoseConnectionsFallSilent_goesOnAndKeepsItsLeases")
    void client_allButOneOfWhoseConnectionsFallSilent_goesOnAndKeepsItsLeases() throws Exception {
        BatonOptions impatient =
                options().commandTimeout(SHORT_LEASE.dividedBy(2)).build();
        try (Baton client = Baton.connect(withLongSession(address), impatient)) {
            List<Lease> leases = lock(client, "kept ");
            int connections = openAll(client);
            for (int i = 1; i < connections; i++) {
                assertThat(proxy.silenceOldest()).isTrue();
            }
            for (int i = 0; i < CROWD; i++) {
                String name = "after " + i;
                ClientContract.within(GIVEN_UP.plus(atOnce()), "works", () -> works(client, name));
            }
            assertThat(leases).allMatch(Lease::isHeld);
            assertThat(witness.admin().list("kept", LOCKS)).hasSize(LOCKS);
        }
    }

    @Test
    @DisplayName("P22: call_whoseAnswerIsLost_isNeverMistakenForHeldByAnother_andIsUndone")
    void call_whoseAnswerIsLost_isNeverMistakenForHeldByAnother_andIsUndone() throws Exception {
        Duration limit = Duration.ofSeconds(2);
        BatonOptions impatient =
                options().commandTimeout(limit.dividedBy(2)).storeTimeout(limit).build();
        try (Baton client = Baton.connect(withLongSession(address), impatient)) {
            Lease held = client.lock("released").acquire();
            DistributedLock lock = client.lock("asked");
            lock.acquire().close();
            proxy.discardReplies();
            Work<ReleaseOutcome> release = Mode.SYNC.start(held::release);
            assertThatThrownBy(() -> lock.tryAcquire(limit)).isInstanceOf(StoreException.class);
            assertThat(release.get()).isIn(ReleaseOutcome.UNKNOWN, ReleaseOutcome.RELEASED);
            healAfterLostAnswers();
            for (String name : List.of("asked", "released")) {
                ClientContract.within(UNDONE, "\"" + name + "\" is free", () -> isFree(name));
            }
            ClientContract.within(UNDONE, "works", () -> works(client, "asked"));
        }
    }

    @Test
    @DisplayName("P2 P8: holder_whoseAnswersAreLost_stopsBelievingBeforeAnotherHolds")
    void holder_whoseAnswersAreLost_stopsBelievingBeforeAnotherHolds() throws Exception {
        Duration shortest = fixture.capabilities().shortestLease();
        Duration lease = shortest.compareTo(SHORT_LEASE) > 0 ? shortest : SHORT_LEASE;
        BatonOptions soonOver =
                options().leaseTime(lease).storeTimeout(SHORT_LEASE).build();
        try (Baton client = Baton.connect(address, soonOver)) {
            Lease held = client.lock("believed").acquire();
            CompletableFuture<LossCause> lost = new CompletableFuture<>();
            held.onLost(lost::complete);
            Work<Lease> next = Mode.SYNC.start(() -> witness.lock("believed").acquire());
            proxy.discardReplies();
            try (Lease other = next.get(lease.multipliedBy(4).plus(CONNECT))) {
                assertThat(held.isHeld()).isFalse();
                assertThat(other.token()).isGreaterThan(held.token());
            }
            assertThat(lost.get(CONNECT.toSeconds(), TimeUnit.SECONDS))
                    .isIn(LossCause.EXPIRED, LossCause.STORE_UNREACHABLE);
            // Keeps the lease reachable until now: one that the application can no longer reach tells nothing.
            assertThat(held.isHeld()).isFalse();
            healAfterLostAnswers();
            ClientContract.within(CONNECT, "works", () -> works(client, "believed"));
        }
    }

    @Test
    @DisplayName("P4: client_behindANetworkThatDeliversBytesPieceByPiece_connectsAndWorks")
    void client_behindANetworkThatDeliversBytesPieceByPiece_connectsAndWorks() throws Exception {
        proxy.delay(Duration.ofMillis(20));
        proxy.dribble(100);
        String name = "größer " + "n".repeat(300);
        try (Baton client = connect(address);
                Lease lease = client.lock(name).acquire()) {
            assertThat(witness.lock(name).tryAcquire()).isEmpty();
            assertThat(client.lock(name + '!').tryAcquire()).get().satisfies(Lease::close);
            assertThat(client.admin().list(name, LOCKS)).hasSize(1);
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(witness.lock(name).tryAcquire()).get().satisfies(Lease::close);
    }

    /**
     * Lets answers pass again. Nothing after a lost answer can be read: a network that loses an answer loses the rest of
     * its connection, too, also of a connection that was made before answers passed again.
     */
    private void healAfterLostAnswers() {
        proxy.cut();
        proxy.forward();
        proxy.cut();
    }

    private boolean isFree(String name) {
        Optional<Lease> lease = witness.lock(name).tryAcquire();
        lease.ifPresent(Lease::close);
        return lease.isPresent();
    }

    private static boolean works(Baton client, String name) {
        try (Lease lease = client.lock(name).tryAcquire().orElseThrow()) {
            return lease.isHeld();
        } catch (StoreException broken) {
            return false;
        }
    }
}
