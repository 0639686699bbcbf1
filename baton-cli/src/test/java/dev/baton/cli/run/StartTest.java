package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.StoreException.Reason;
import dev.baton.internal.Exceptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * If a lock is lost before its command has begun, that is not a loss: the lock is requested again, as long as it may
 * wait.
 */
class StartTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration USUAL = Duration.ofMillis(200);

    private final Baton baton = Baton.connect("memory:");
    private final List<Lease> asked = new ArrayList<>();

    @AfterEach
    void close() {
        baton.close();
    }

    private Optional<Lease> ask(Duration wait) {
        Optional<Lease> lease = baton.lock("x").tryAcquire();
        lease.ifPresent(asked::add);
        return lease;
    }

    /** A lock that was handed over to a process which got no processor for longer than the claim window. */
    private Optional<Terms> confirmAfter(int losses, Lease lease) {
        if (asked.size() <= losses) {
            lease.release();
        }
        return Terms.of(lease, LEASE, Duration.ofSeconds(5));
    }

    @Test
    void lockThatIsLostBeforeTheCommand_isAskedForAgain() throws Exception {
        Start.Ready ready = new Start(null)
                .lease(this::ask, lease -> confirmAfter(10, lease))
                .orElseThrow();
        assertThat(asked).hasSize(11);
        assertThat(ready.lease()).isSameAs(asked.get(10));
        assertThat(ready.lease().isHeld()).isTrue();
    }

    @Test
    void whoDoesNotWait_asksAgain_butNotForEver() throws Exception {
        assertThat(new Start(Duration.ZERO).lease(this::ask, lease -> confirmAfter(2, lease)))
                .isPresent();
        asked.get(2).release();
        asked.clear();
        assertThat(new Start(Duration.ZERO).lease(this::ask, lease -> confirmAfter(100, lease)))
                .isEmpty();
        assertThat(asked).hasSize(Start.TRIES).noneMatch(Lease::isHeld);
    }

    @Test
    void storeThatIsLate_isAskedAgain_beforeTheCommand() throws Exception {
        List<String> late = new ArrayList<>(List.of("connect", "ask", "confirm"));
        Start start = new Start(null);
        Baton connected = start.connect(
                () -> {
                    if (late.remove("connect")) {
                        Thread.sleep(USUAL.toMillis());
                        throw failure(Reason.UNREACHABLE);
                    }
                    return baton;
                },
                USUAL);
        assertThat(connected).isSameAs(baton);
        Start.Ready ready = start.lease(
                        wait -> {
                            assertThat(wait).isNull();
                            if (late.remove("ask")) {
                                throw failure(Reason.OTHER);
                            }
                            return ask(USUAL);
                        },
                        lease -> {
                            if (late.remove("confirm")) {
                                throw failure(Reason.OTHER);
                            }
                            return Terms.of(lease, LEASE, USUAL);
                        })
                .orElseThrow(() -> new AssertionError("nothing left: " + late));
        assertThat(late).isEmpty();
        assertThat(ready.lease().isHeld()).isTrue();
    }

    @Test
    void storeThatIsNotThere_isToldAtOnce() {
        List<Integer> tries = new ArrayList<>();
        assertThatThrownBy(() -> new Start(null)
                        .connect(
                                () -> {
                                    tries.add(1);
                                    throw failure(Reason.UNREACHABLE);
                                },
                                Duration.ofMinutes(1)))
                .isInstanceOf(StoreException.class);
        assertThat(tries).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNREACHABLE", "DENIED", "UNFIT"})
    void storeThatStaysSilent_isAskedAgainForAWhile_andOneThatRefuses_once(Reason reason) {
        List<Integer> tries = new ArrayList<>();
        // Tries are 250 ms apart. Longer than a machine stands still, or the first failure could be the last.
        assertThatThrownBy(() -> new Start(null, Duration.ofSeconds(4))
                        .lease(
                                wait -> {
                                    tries.add(1);
                                    throw failure(reason);
                                },
                                lease -> Optional.empty()))
                .isInstanceOf(StoreException.class);
        assertThat(tries).hasSizeBetween(1, reason == Reason.UNREACHABLE ? 18 : 1);
        assertThat(tries.size() > 1).isEqualTo(reason == Reason.UNREACHABLE);
    }

    @Test
    void wait_countsFromTheStart_whateverHappensMeanwhile() throws Exception {
        List<Duration> waits = new ArrayList<>();
        Optional<Start.Ready> none = new Start(USUAL)
                .lease(
                        wait -> {
                            waits.add(wait);
                            Thread.sleep(50);
                            return ask(USUAL);
                        },
                        lease -> {
                            lease.release();
                            return Optional.empty();
                        });
        assertThat(none).isEmpty();
        assertThat(waits).hasSizeBetween(Start.TRIES, 5).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(waits.get(0)).isLessThanOrEqualTo(USUAL);
    }

    private static StoreException failure(Reason reason) {
        return Exceptions.get().store(reason, "late", null);
    }
}
