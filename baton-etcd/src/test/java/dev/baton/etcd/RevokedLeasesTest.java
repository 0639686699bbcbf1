package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.tck.history.HoldRecord;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which deviations are excused, and which are not. */
class RevokedLeasesTest {
    private static final Set<String> TAKEN = Set.of("client 1");
    private static final HoldRecord NEXT = hold("client 2 thread 0", 2, 150, 300, 310);

    private static HoldRecord hold(String holder, int storeToken, long got, long letGo, long gone) {
        return new HoldRecord(holder, storeToken * 256L, got - 10, got, letGo, gone);
    }

    private static HoldRecord lost(String holder, int storeToken, long got, long letGo) {
        return hold(holder, storeToken, got, letGo, HoldRecord.NEVER);
    }

    @Test
    void holdOfATakenLease_thatWasFoundGone_isExcused() {
        List<HoldRecord> history = List.of(lost("client 1 thread 0", 1, 100, 200), NEXT);
        assertThat(RevokedLeases.unexplained(history, TAKEN)).isEmpty();
        assertThat(RevokedLeases.unexplained(history, Set.of())).isNotEmpty();
    }

    @Test
    void holdThatCouldBeReleased_isNot() {
        assertThat(RevokedLeases.unexplained(List.of(hold("client 1 thread 0", 1, 100, 200, 210), NEXT), TAKEN))
                .isNotEmpty();
    }

    @Test
    void holdsOfClientsWhoseLeaseStood_areNot() {
        assertThat(RevokedLeases.unexplained(List.of(lost("client 3 thread 0", 1, 100, 200), NEXT), TAKEN))
                .isNotEmpty();
        assertThat(RevokedLeases.unexplained(
                        List.of(
                                lost("client 1 thread 0", 1, 100, 200),
                                NEXT,
                                hold("client 0 thread 0", 3, 250, 260, 270)),
                        TAKEN))
                .isNotEmpty();
    }

    @Test
    void secondHoldOfATakenLease_isNot() {
        List<HoldRecord> history = List.of(
                lost("client 1 thread 0", 1, 100, 200),
                NEXT,
                lost("client 1 thread 1", 3, 400, 500),
                hold("client 2 thread 0", 4, 450, 600, 610));
        assertThat(RevokedLeases.unexplained(history, TAKEN)).hasSize(1);
    }

    @Test
    void tokenThatCameTwice_isNot() {
        List<HoldRecord> history =
                List.of(lost("client 1 thread 0", 1, 100, 200), hold("client 2 thread 0", 1, 250, 300, 310));
        assertThat(RevokedLeases.unexplained(history, TAKEN)).isNotEmpty();
    }
}
