package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonClosedException;
import dev.baton.BatonException;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockInfo;
import dev.baton.LockOptions;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.StorePing;
import dev.baton.StoreReport;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Kind;
import dev.baton.spi.Push;
import dev.baton.spi.Resource;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Names, inspection, forced releases, and refused input. */
public abstract class ClientContractAdmin extends ClientContract {
    /** For subclasses. */
    protected ClientContractAdmin() {}

    // ---- signs of life -------------------------------------------------------------------------------------------

    @Test
    void ping_tellsWhichServerAnswered_andHowLongItTook() {
        Baton client = connect();
        StorePing first = client.ping();
        StorePing second = client.ping();
        assertThat(first.roundTrip()).isBetween(Duration.ZERO, PATIENCE);
        assertThat(first.server()).isNotEmpty().isEqualTo(second.server());
        assertThat(first.store()).isEqualTo(fixture().capabilities().store());
        client.close();
        assertThatThrownBy(client::ping).isInstanceOf(BatonClosedException.class);
    }

    // ---- names ---------------------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P32: names_ofAnyTextUpToOneKilobyte_areLocksOfTheirOwn")
    void names_ofAnyTextUpToOneKilobyte_areLocksOfTheirOwn(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        List<String> names = List.of(
                "x",
                " ",
                "with space:and/slash\\and'quote\"%_*?{tag}",
                "\uD83D\uDD12".repeat(256),
                "n".repeat(1023) + "1",
                "n".repeat(1023) + "2");
        List<Lease> leases = new ArrayList<>();
        for (String name : names) {
            leases.add(mode.tryAcquire(client.lock(name), Duration.ZERO).orElseThrow());
            assertThat(mode.tryAcquire(other.lock(name), Duration.ZERO)).isEmpty();
        }
        assertThat(other.admin().list("", 100)).extracting(LockInfo::name).containsExactlyInAnyOrderElementsOf(names);
        for (Lease lease : leases) {
            assertThat(mode.release(lease)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // a caller without a checker passes null
    @DisplayName("P32: names_thatNoStoreCouldKeep_areRefusedWithAReason")
    void names_thatNoStoreCouldKeep_areRefusedWithAReason() {
        FaultyStore counted = new FaultyStore();
        Baton client = connect(options().build(), counted);
        refused(() -> client.lock(""), "empty");
        refused(() -> client.lock("n".repeat(1025)), "1024", "1025");
        refused(() -> client.lock("\uD83D\uDD12".repeat(257)), "1024", "1028");
        refused(() -> client.lock("half \uD83D"), "surrogate");
        refused(() -> client.reentrantLock(""), "empty");
        refused(() -> client.admin().inspect(""), "empty");
        assertThatThrownBy(() -> client.lock(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("name");
        assertThat(counted.count()).isZero();
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(call)
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(words));
    }

    // ---- bad input -----------------------------------------------------------------------------------------------

    @Test
    @SuppressWarnings("NullAway") // a caller without a checker passes null
    void times_thatMakeNoSense_areRefusedBeforeAnythingIsSent() {
        FaultyStore counted = new FaultyStore();
        Baton client = connect(options().build(), counted);
        DistributedLock lock = client.lock("times");
        Duration negative = Duration.ofMillis(-1);
        Duration tooShort = fixture().capabilities().shortestLease().minusMillis(1);
        LockOptions options = LockOptions.defaults();
        refused(() -> lock.tryAcquire(negative), "negative", "PT-0.001S");
        refused(() -> lock.tryAcquireAsync(negative), "negative");
        refused(() -> lock.tryCall(negative, lease -> "never"), "negative");
        refused(() -> client.reentrantLock("times").tryLock(negative), "negative");
        refused(() -> client.reentrantLock("times").tryLock(lease(), Duration.ZERO), "leaseTime", "positive");
        refused(() -> options.withLeaseTime(Duration.ZERO), "leaseTime", "positive");
        refused(() -> options.withMaxHold(negative), "maxHold", "positive");
        refused(() -> options.withLockDelay(negative), "lockDelay", "negative");
        refused(() -> client.lock("times", options.withLeaseTime(tooShort)), "at least");
        refused(() -> client.lock("times", options.withLeaseTime(Duration.ofDays(400))), "at most 365 days");
        refused(() -> connect(options().leaseTime(tooShort).build()), "at least");
        for (Duration bad : List.of(Duration.ZERO, negative)) {
            refused(() -> options().leaseTime(bad).build(), "leaseTime");
            refused(() -> options().storeTimeout(bad).build(), "storeTimeout");
            refused(() -> options().connectTimeout(bad).build(), "connectTimeout");
            refused(() -> options().commandTimeout(bad).build(), "commandTimeout");
            refused(() -> options().grace(bad).build(), "grace");
        }
        refused(() -> options().maxLocalWaiters(0).build(), "maxLocalWaiters");
        refused(() -> options().applicationName("n".repeat(201)).build(), "applicationName", "200", "201");
        refused(() -> options().namespace("no spaces").build(), "namespace");
        assertThatThrownBy(() -> lock.tryAcquire(null)).isInstanceOf(NullPointerException.class);
        assertThat(counted.count()).isZero();
    }

    @Test
    void lease_askedForNonsense_refusesItAndStaysHeld() throws Exception {
        Lease lease = connect().lock("sensible").acquire();
        refused(() -> lease.extend(Duration.ZERO), "positive");
        refused(() -> lease.extend(Duration.ofMillis(-1)), "positive");
        refused(() -> lease.ensureHeld(Duration.ofMillis(-1)), "negative");
        assertThat(lease.isHeld()).isTrue();
        refused(() -> connect().admin().list("", 0), "limit");
    }

    @Test
    void locks_areListedPageByPage() throws Exception {
        Baton client =
                connect(options().leaseTime(lease(Duration.ofSeconds(30))).build());
        List<String> names = List.of("page:1", "page:2", "page:3", "page:4", "page:5");
        for (String name : names) {
            client.lock(name).acquire();
        }
        List<String> found = new ArrayList<>();
        List<LockInfo> page;
        do {
            page = client.admin().list("page:", found.isEmpty() ? "" : found.get(found.size() - 1), 2);
            page.forEach(lock -> found.add(lock.name()));
        } while (page.size() == 2);
        assertThat(found).isEqualTo(names);
        assertThat(page).hasSize(1);
    }

    @Test
    void addresses_thatNoStoreServes_areRefusedWithWhatIsThereAndWhatToAdd() {
        BatonOptions options = options().build();
        refused(() -> Baton.connect("", options), "scheme");
        refused(() -> Baton.connect("localhost", options), "scheme", "memory:");
        // A store whose module is not on this class path, for each store under test.
        String absent = fixture().provider().schemes().containsKey("etcd") ? "redis" : "etcd";
        refused(() -> Baton.connect(absent + "://user:secret@host:6379", options), "baton-" + absent, "memory:");
        refused(() -> Baton.connect("carrier-pigeon://loft", options), "memory:", "no module");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Baton.connect(absent + "://user:secret@host", options))
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("secret"));
    }

    @EachMode
    void name_thatStandsForASemaphore_isRefusedAsALock(Mode mode) throws Exception {
        Baton client = connect();
        try (Store store = fixture().open("5e".repeat(16), Timings.withGrace(GRACE), DEAF, null)) {
            Resource semaphore = new Resource("other kind", Kind.SEMAPHORE, 3);
            CommandNumber number = CommandNumber.of(1);
            long lease = lease().multipliedBy(10).toNanos() / 1_000;
            Acquire command = new Acquire(semaphore, number, 1, lease, 0, "", Acquire.Mode.TRY, 0);
            if (!fixture().capabilities().shares()) {
                assertThatThrownBy(() -> store.acquire(command, PATIENCE.toNanos()))
                        .isInstanceOf(StoreFailure.class);
                assertThat(mode.release(mode.acquire(client.lock("other kind"))))
                        .isEqualTo(ReleaseOutcome.RELEASED);
                return;
            }
            store.acquire(command, PATIENCE.toNanos());
            assertThatThrownBy(() -> mode.acquire(client.lock("other kind")))
                    .isInstanceOf(BatonException.class)
                    .hasMessageContaining("SEMAPHORE of capacity 3")
                    .hasMessageContaining("another name");
        }
    }

    private static final StoreListener DEAF = new StoreListener() {
        @Override
        public void onPush(Push push) {}

        @Override
        public void onReconnect() {}
    };

    // ---- inspection and force -----------------------------------------------------------------------------------

    @EachMode
    void inspectAndList_showWhoHoldsAndWhoWaits(Mode mode) throws Exception {
        Baton client = connect(options().applicationName("shop").build());
        Lease lease = mode.acquire(client.lock("seen/b"));
        List<Lease> more = List.of(mode.acquire(client.lock("seen/a")), mode.acquire(client.lock("unseen")));
        Baton other = connect();
        CompletableFuture<Lease> waiter = other.lock("seen/b").acquireAsync();
        int seen = fixture().capabilities().queue() ? 1 : 0;
        until("queued", () -> queued(other, "seen/b") == seen);
        assertThat(other.admin().list("seen/", 10)).extracting(LockInfo::name).containsExactly("seen/a", "seen/b");
        assertThat(other.admin().list("seen/", 1)).hasSize(1);
        LockInfo info = other.lock("seen/b").inspect().orElseThrow();
        assertThat(info.kind()).isEqualTo(LockInfo.Kind.LOCK);
        assertThat(info.holders()).singleElement().satisfies(holder -> {
            assertThat(holder.clientId()).isEqualTo(client.clientId());
            assertThat(holder.storeToken()).isEqualTo(lease.token() / 256);
            assertThat(holder.firstToken()).isEqualTo(lease.token());
            assertThat(holder.remaining()).isPositive().isLessThanOrEqualTo(lease());
            assertThat(holder.description())
                    .contains("shop on ", "pid " + ProcessHandle.current().pid());
            assertThat(holder.revoked()).isFalse();
        });
        assertThat(other.admin().inspect("nobody's")).isEmpty();
        waiter.cancel(true);
        // This also keeps the leases from being abandoned: there is no other reference to them.
        assertThat(more).allMatch(Lease::isHeld);
    }

    @Test
    void examine_measures_andLeavesNothingBehind() {
        Baton client = connect();
        StoreReport report = client.admin().examine();
        assertThat(report.promises()).isEqualTo(fixture().capabilities().inWords());
        assertThat(report.facts()).containsKey("version");
        assertThat(report.roundTrips()).hasSizeBetween(2, 100).isSorted().allMatch(time -> !time.isNegative());
        // A wrong unit or time zone makes it more than an hour.
        requireDifference(report, Duration.ZERO, Duration.ofSeconds(10));
        assertThat(report.warnings()).noneMatch(warning -> warning.contains("clock"));
        assertThat(client.admin().list("", 10)).isEmpty();
    }

    @Test
    void examine_withAClockThatIsHoursOff_saysWhichWayAndWhatToDo() {
        StoreReport report = connect(options().build(), new FaultyStore(), new WallClockAhead(Duration.ofHours(2)))
                .admin()
                .examine();
        requireDifference(report, Duration.ofHours(-2), Duration.ofMinutes(1));
        if (fixture().capabilities().session() == null) {
            assertThat(report.warnings())
                    .anySatisfy(warning -> assertThat(warning)
                            .contains("behind this machine's")
                            .contains("let NTP keep both"));
        } else {
            assertThat(report.warnings()).noneMatch(warning -> warning.contains("clock"));
        }
    }

    private void requireDifference(StoreReport report, Duration difference, Duration atMostBy) {
        if (fixture().capabilities().session() == null) {
            assertThat(report.clockDifference().orElseThrow())
                    .isBetween(difference.minus(atMostBy), difference.plus(atMostBy));
        } else {
            assertThat(report.clockDifference())
                    .as("where leases go by their client's clock")
                    .isEmpty();
        }
    }

    @Test
    void examine_ofAStoreThatIsSilent_saysThatNobodyKnows() {
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().storeTimeout(Duration.ofMillis(300)).build(), faults);
        faults.script(
                (call, number) -> call == FaultyStore.Call.ACQUIRE ? FaultyStore.Fault.REFUSE : FaultyStore.Fault.NONE);
        assertThatThrownBy(() -> client.admin().examine()).isInstanceOf(StoreException.class);
    }

    @EachMode
    void forceRelease_tellsTheHolderWithinAHeartbeat_andLetsTheNextIn(Mode mode) throws Exception {
        Baton client = connect();
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        Lease lease = mode.acquire(client.lock("revoked")).onLost(lost::complete);
        Baton other = connect();
        assertThat(other.admin().forceRelease("revoked"))
                .hasValueSatisfying(holder -> assertThat(holder.clientId()).isEqualTo(client.clientId()));
        LossCause cause = lost.get(lease().plus(MARGIN).toMillis(), TimeUnit.MILLISECONDS);
        assertThat(cause).isEqualTo(LossCause.REVOKED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(mode.tryAcquire(other.lock("revoked"), BEAT.plus(MARGIN))).isPresent();
        assertThat(mode.release(lease)).isEqualTo(ReleaseOutcome.NOT_HELD);
        assertThat(other.admin().forceRelease("nobody's")).isEmpty();
    }

    @EachMode
    void forceReleaseNow_letsTheNextInAtOnce_andItsTokenIsGreater(Mode mode) throws Exception {
        Lease lease = mode.acquire(connect().lock("evicted"));
        Baton other = connect();
        assertThat(other.admin().forceReleaseNow("evicted")).isPresent();
        Lease next = mode.tryAcquire(other.lock("evicted"), Duration.ZERO).orElseThrow();
        assertThat(next.token()).isGreaterThan(lease.token());
        within(lease().plus(MARGIN), "the old holder is told", () -> !lease.isHeld());
        mode.release(lease);
        assertThat(next.isHeld()).isTrue();
    }
}
