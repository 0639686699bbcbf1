package dev.baton.tck;

import static dev.baton.tck.FaultyStore.always;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LockOptions;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.tck.FaultyStore.Call;
import dev.baton.tck.FaultyStore.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/** How long a lease lives, how it ends, and which callbacks are told. */
public abstract class ClientContractLoss extends ClientContract {
    /**
     * For leases that shall end. A renewed lease is longer, because a busy machine can keep threads waiting for this
     * long.
     */
    private static final Duration BRIEF = Duration.ofMillis(300);

    /** For subclasses. */
    protected ClientContractLoss() {}

    private Duration brief() {
        return lease(BRIEF);
    }

    /** Returns the brief lease time, or half of the time for which G or a session lets its client believe, if that is shorter. */
    private Duration believed() {
        Duration session = fixture().capabilities().session();
        Duration limit = session == null || session.compareTo(GRACE) > 0 ? GRACE : session;
        return limit.dividedBy(2).compareTo(brief()) > 0 ? brief() : limit.dividedBy(2);
    }

    private LockOptions explicit() {
        return LockOptions.defaults().withLeaseTime(brief());
    }

    // ---- renewal -------------------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P24: hold_ofManyLeases_isNeverLost_andAfterItsClientDiedTheNextHasItInALease")
    void hold_ofManyLeases_isNeverLost(Mode mode) throws Exception {
        FaultyStore cut = new FaultyStore();
        Lease lease = mode.acquire(connect(lastingOptions().build(), cut).lock("long job"));
        Baton other = connect(lastingOptions().build());
        throughout(
                lasting().multipliedBy(nightly() ? 10 : 2),
                "held",
                () -> lease.isHeld() && other.lock("long job").tryAcquire().isEmpty());
        cut.script(always(Fault.DROP_REQUEST));
        assertThat(ClientContractExclusion.timeToGet(mode, other.lock("long job")))
                .isLessThan(lasting().plus(fixture().expiryGrain()).plus(BEAT).plus(MARGIN));
    }

    @EachMode
    @DisplayName("P3: releasedLease_isNamedByNoHeartbeatAnyMore")
    void releasedLease_isNamedByNoHeartbeatAnyMore(Mode mode) throws Exception {
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().build(), faults);
        Lease lease = mode.acquire(client.lock("let go"));
        until("renewed", () -> faults.count(Call.HEARTBEAT) >= 2);
        assertThat(mode.release(lease)).isEqualTo(ReleaseOutcome.RELEASED);
        long sent = faults.count(Call.HEARTBEAT);
        pause(lease());
        assertThat(faults.count(Call.HEARTBEAT)).isEqualTo(sent);
        assertThat(client.admin().inspect("let go")).isEmpty();
    }

    @EachMode
    @DisplayName("P3: lease_releasedWhileItsRenewalIsOnTheWay_staysReleased")
    void lease_releasedWhileItsRenewalIsOnTheWay_staysReleased(Mode mode) throws Exception {
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().build(), faults);
        faults.delay(Duration.ofMillis(20));
        for (int i = 0; i < size(500, 3); i++) {
            Lease lease = mode.acquire(client.lock("race"));
            long before = faults.count(Call.HEARTBEAT);
            until("a renewal is on its way", () -> faults.count(Call.HEARTBEAT) > before);
            mode.release(lease);
            assertThat(lease.isHeld()).isFalse();
            pause(Duration.ofMillis(30));
            assertThat(lease.isHeld()).isFalse();
            assertThat(client.admin().inspect("race")).isEmpty();
        }
    }

    // ---- ends ----------------------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P8: lateRelease_afterAnotherAcquired_neverFreesTheSuccessor")
    void lateRelease_afterAnotherAcquired_neverFreesTheSuccessor(Mode mode) throws Exception {
        Baton client = connect();
        Baton other = connect();
        Lease late = mode.acquire(client.lock("successor", explicit()));
        Lease next = mode.acquire(other.lock("successor"));
        assertThat(late.isHeld()).isFalse();
        assertThat(mode.release(late)).isEqualTo(ReleaseOutcome.EXPIRED);
        assertThat(mode.release(late)).isEqualTo(ReleaseOutcome.NOT_HELD);
        throughout(brief(), "the successor holds", next::isHeld);
        assertThat(client.lock("successor").tryAcquire()).isEmpty();
        assertThat(mode.release(next)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @EachMode
    @DisplayName("P36: release_inEveryState_tellsWhatItFoundAndNeverThrows")
    void release_inEveryState_tellsWhatItFoundAndNeverThrows(Mode mode) throws Exception {
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().commandTimeout(Duration.ofMillis(500)).build(), faults);
        Lease twice = mode.acquire(client.lock("twice"));
        assertThat(mode.release(twice)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(mode.release(twice)).isEqualTo(ReleaseOutcome.NOT_HELD);
        twice.close();

        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        Lease expired = mode.acquire(client.lock("expired", explicit())).onLost(lost::complete);
        assertThat(lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.EXPIRED);
        assertThat(mode.release(expired)).isEqualTo(ReleaseOutcome.EXPIRED);

        Lease unknown = mode.acquire(client.lock("unknown"));
        faults.script(always(Fault.DROP_REPLY));
        assertThat(mode.release(unknown)).isEqualTo(ReleaseOutcome.UNKNOWN);
        faults.script(FaultyStore.HEALTHY);

        Lease closed = mode.acquire(client.lock("closed"));
        client.close();
        assertThat(mode.release(closed)).isEqualTo(ReleaseOutcome.NOT_HELD);
    }

    @EachMode
    @DisplayName("P21: lease_howeverAskedFor_endsByItselfWhenItsClientIsGone")
    void lease_howeverAskedFor_endsByItselfWhenItsClientIsGone(Mode mode) throws Exception {
        FaultyStore cut = new FaultyStore();
        Baton client = connect(options().build(), cut);
        Baton other = connect();
        mode.acquire(client.lock("renewed"));
        mode.acquire(client.lock("explicit", LockOptions.defaults().withLeaseTime(lease())));
        mode.acquire(client.lock("limited", LockOptions.defaults().withMaxHold(Duration.ofHours(1))));
        mode.start(() -> {
                    client.reentrantLock("owned").lock();
                    return true;
                })
                .get();
        cut.script(always(Fault.DROP_REQUEST));
        assertThat(other.admin().list("", 10))
                .hasSize(4)
                .allSatisfy(info -> assertThat(info.holders())
                        .allSatisfy(holder -> assertThat(holder.remaining()).isLessThanOrEqualTo(lease())));
        for (String name : new String[] {"renewed", "explicit", "limited", "owned"}) {
            Duration limit = lease().plus(fixture().expiryGrain()).plus(BEAT).plus(MARGIN);
            assertThat(mode.tryAcquire(other.lock(name), limit)).isPresent();
        }
    }

    @EachMode
    void explicitLease_isNotRenewedAndEndsInTime(Mode mode) throws Exception {
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        // Not the brief one, which a stall could end before it is looked at.
        Lease lease =
                mode.acquire(connect().lock("explicit", LockOptions.defaults().withLeaseTime(lease())));
        lease.onLost(lost::complete);
        assertThat(lease.remaining()).isLessThan(lease()).isPositive();
        assertThat(lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.EXPIRED);
        assertThat(lease.remaining()).isZero();
    }

    @EachMode
    void maxHold_endsALeaseThatWouldBeRenewed(Mode mode) throws Exception {
        // Long enough for a store that stands still for two seconds: otherwise its silence is the cause.
        LockOptions limited = LockOptions.defaults().withMaxHold(Duration.ofSeconds(4));
        Baton client = connect(lastingOptions().build());
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        long start = System.nanoTime();
        Lease lease = mode.acquire(client.lock("limited", limited)).onLost(lost::complete);
        assertThat(lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.EXPIRED);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(3_950), Duration.ofSeconds(12));
        assertThat(lease.isHeld()).isFalse();
    }

    @EachMode
    void extend_ofAnExplicitLease_movesItsEnd_untilItIsLost(Mode mode) throws Exception {
        // Not the brief one, which a stall could end before it is extended.
        Duration first = lease();
        Duration more = first.multipliedBy(2);
        long start = System.nanoTime();
        Lease lease =
                mode.acquire(connect().lock("extended", LockOptions.defaults().withLeaseTime(first)));
        assertThat(lease.extend(more)).isTrue();
        assertThat(lease.remaining()).isGreaterThan(believed());
        lease.ensureHeld(believed());
        lease.ensureHeld();
        assertThat(lease.loss()).isEmpty();
        assertThatThrownBy(() -> lease.ensureHeld(more.plusSeconds(5)))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("extended")
                .hasMessageContaining("lasts only another");
        until("over", () -> !lease.isHeld());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(earliestEnd(more));
        assertThat(lease.extend(brief())).isFalse();
        assertThat(lease.loss()).contains(LossCause.EXPIRED);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @EachMode
    void extend_whoseAnswerIsSlow_countsFromTheCall(Mode mode) throws Exception {
        FaultyStore slow = new FaultyStore();
        Lease lease = mode.acquire(connect(options().build(), slow)
                .lock("extended slowly", LockOptions.defaults().withLeaseTime(PATIENCE)));
        slow.delay(Duration.ofMillis(200));
        assertThat(lease.extend(PATIENCE.plusSeconds(2))).isTrue();
        slow.delay(Duration.ZERO);
        mode.release(lease);
    }

    @EachMode
    void extendAsync_saysWhatExtendSays(Mode mode) throws Exception {
        FaultyStore cut = new FaultyStore();
        Baton client = connect(options().commandTimeout(Duration.ofMillis(500)).build(), cut);
        Lease lease = mode.acquire(
                client.lock("extended later", LockOptions.defaults().withLeaseTime(lease())));
        assertThat(lease.extendAsync(lease().plusSeconds(5)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(lease.remaining()).isGreaterThan(believed());
        assertThatThrownBy(() -> lease.extendAsync(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        cut.script(always(Fault.DROP_REQUEST));
        assertThatThrownBy(() -> lease.extendAsync(lease().plusSeconds(9)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(StoreException.class);
        cut.script(FaultyStore.HEALTHY);
        mode.release(lease);
        assertThat(lease.extendAsync(lease()).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isFalse();
        assertThat(lease.loss()).isEmpty();
    }

    @EachMode
    void interruptOnLoss_interruptsTheHolder(Mode mode) throws Exception {
        DistributedLock lock = connect().lock("interrupting", explicit().withInterruptOnLoss(true));
        CountDownLatch never = new CountDownLatch(1);
        Work<Boolean> holder = mode.start(() -> {
            Lease lease = lock.acquire();
            try {
                return never.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                return lease.isHeld();
            }
        });
        assertThat(holder.get()).isFalse();
    }

    @EachMode
    void lockDelay_afterAHolderFailed_keepsTheLockFree_butNotAfterARelease(Mode mode) throws Exception {
        Duration delay = Duration.ofMillis(500);
        FaultyStore cut = new FaultyStore();
        // Not the brief lease, which a stall could end before its release: the delay would begin.
        LockOptions delayed = LockOptions.defaults().withLeaseTime(lease()).withLockDelay(delay);
        DistributedLock lock = connect(options().build(), cut).lock("delayed", delayed);
        DistributedLock other = connect().lock("delayed");
        mode.release(mode.acquire(lock));
        mode.release(mode.tryAcquire(other, Duration.ZERO).orElseThrow());
        long start = System.nanoTime();
        mode.acquire(lock);
        cut.script(always(Fault.DROP_REQUEST));
        assertThat(mode.tryAcquire(other, PATIENCE)).isPresent();
        // A store's clock may count in whole milliseconds.
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isGreaterThanOrEqualTo(lease().plus(delay).minusMillis(1));
    }

    @EachMode
    void onLost_ofALeaseThatIsLostAlready_isCalledAtOnce_andNeverAfterARelease(Mode mode) throws Exception {
        Baton client = connect();
        Lease lost = mode.acquire(client.lock("lost", explicit()));
        until("over", () -> !lost.isHeld());
        CompletableFuture<LossCause> cause = new CompletableFuture<>();
        lost.onLost(cause::complete);
        assertThat(cause.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.EXPIRED);

        Lease released =
                mode.acquire(client.lock("released", LockOptions.defaults().withLeaseTime(lease())));
        CompletableFuture<LossCause> none = new CompletableFuture<>();
        released.onLost(none::complete);
        mode.release(released);
        throughout(lease().plus(BRIEF), "not told of a loss", () -> !none.isDone());
    }

    @EachMode
    void lease_thatNobodyCanReach_isReportedAndNotRenewed(Mode mode) throws Exception {
        Events events = new Events();
        // Garbage collection takes time, and a lease that ends during it is reported as lost.
        Duration lease = lease(Duration.ofSeconds(3));
        Duration grace = lease.multipliedBy(4);
        Baton client =
                connect(options().leaseTime(lease).grace(grace).listener(events).build());
        Baton other = connect(options().leaseTime(lease).grace(grace).build());
        abandon(mode, client.lock("forgotten"));
        until("reported", () -> {
            System.gc();
            return events.count(BatonEvent.Type.ABANDONED) == 1;
        });
        assertThat(mode.tryAcquire(other.lock("forgotten"), PATIENCE)).isPresent();
    }

    private static void abandon(Mode mode, DistributedLock lock) throws Exception {
        assertThat(mode.start(() -> mode.acquire(lock).isHeld()).get()).isTrue();
    }
}
