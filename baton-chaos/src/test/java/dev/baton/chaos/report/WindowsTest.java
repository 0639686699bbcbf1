package dev.baton.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.baton.chaos.check.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowsTest {
    private static final int APART = 10_000;

    private final Runs runs = new Runs();

    private List<Window> chosen() {
        return new Windows(runs.recoveries(), runs.findings, "lock-0").chosen();
    }

    private void faults(String id, int from, int to) {
        for (int i = from; i < to; i++) {
            runs.fault(id, i * APART, i * APART + 400);
        }
    }

    @Test
    void aWindowHasMarginsAroundTheFaultAndItsRecovery() {
        runs.fault("wire-cut", 1_000, 2_600);
        runs.hold(2_000, 3_600, 3_601);
        assertThat(chosen())
                .extracting(Window::fromNanos, Window::toNanos)
                .containsExactly(tuple(Runs.nanos(600), Runs.nanos(4_000)));
    }

    @Test
    void theFirstFaultsAreShown() {
        faults("wire-cut", 0, 100);
        assertThat(chosen()).flatExtracting(Window::faults).isEqualTo(runs.faults.subList(0, Windows.FIRST));
    }

    @Test
    void aFaultOfAnotherNameIsShownOnce() {
        faults("wire-cut", 0, 50);
        faults("client-kill", 50, 60);
        assertThat(chosen())
                .hasSize(Windows.FIRST + 1)
                .last()
                .extracting(Window::faults)
                .isEqualTo(List.of(runs.faults.get(50)));
    }

    @Test
    void faultsAtTheSameTimeShareAWindow() {
        runs.fault("wire-cut", 1_000, 2_000);
        runs.fault("client-kill", 1_900, 4_000);
        runs.fault("client-kill", 4_100, 4_200);
        assertThat(chosen())
                .extracting(Window::faults)
                .containsExactly(runs.faults.subList(0, 2), runs.faults.subList(2, 3));
    }

    @Test
    void aLateFaultWithAFindingIsShownWithTheLockOfTheFinding() {
        faults("wire-cut", 0, 50);
        runs.finding("counter", "lock-5", 40 * APART, 40 * APART + 1, true);
        runs.finding("order", "lock-7", 40 * APART, 40 * APART + 1, false);
        assertThat(chosen()).last().satisfies(window -> {
            assertThat(window.faults()).containsExactly(runs.faults.get(40));
            assertThat(window.lock()).isEqualTo("lock-7");
            assertThat(window.findings()).isEqualTo(runs.findings);
        });
        assertThat(chosen().get(0).lock()).isEqualTo("lock-0");
    }

    @Test
    void aBrokenPromiseFarFromFaultsIsShown() {
        faults("wire-cut", 0, 1);
        runs.finding("order", "lock-7", 5_000, 5_100, false);
        assertThat(chosen())
                .last()
                .extracting(Window::fromNanos, Window::toNanos)
                .containsExactly(Runs.nanos(4_800), Runs.nanos(5_300));
    }

    @Test
    void brokenPromisesComeFirstWhenThereAreTooManyWindows() {
        faults("wire-cut", 0, 200);
        for (int i = 50; i < 190; i++) {
            runs.finding("order", "lock-0", i * APART, i * APART + 1, i < 188);
        }
        assertThat(chosen())
                .hasSize(Windows.MOST)
                .flatExtracting(Window::faults)
                .contains(runs.faults.get(188), runs.faults.get(189), runs.faults.get(50))
                .doesNotContain(runs.faults.get(187));
    }

    @Test
    void aFindingAboutTheEndOfTheRunIsInNoWindow() {
        faults("wire-cut", 0, 1);
        runs.findings.add(new Finding("residue", "lock-3", 0, 0, "x", false, List.of()));
        assertThat(chosen()).singleElement().extracting(Window::findings).isEqualTo(List.of());
    }
}
