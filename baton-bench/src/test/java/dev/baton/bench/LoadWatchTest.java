package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LoadWatchTest {
    private final List<String> warnings = new ArrayList<>();
    private CpuTimes now = new CpuTimes(0, 0, 0);
    private final LoadWatch watch = new LoadWatch(() -> now, warnings::add);

    /** Lets 100 ticks of all processors pass. */
    private void pass(int others, int own) {
        now = new CpuTimes(now.capacity() + 100, now.busy() + others + own, now.own() + own);
    }

    private void turn(String name, int others, int own) {
        watch.begin();
        pass(others, own);
        watch.end(name);
    }

    @Test
    void machineThatIsBusyBefore_isWarnedOf_withItsMeaning() {
        LoadWatch busy = new LoadWatch(
                () -> {
                    pass(40, 10);
                    return now;
                },
                warnings::add);
        busy.lookBefore(Duration.ZERO);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0))
                .contains("40" + Lines.GLUE + "%", "Rates will be lower and intervals wider", "Ratios suffer less");
        assertThat(busy.seen().before()).isEqualTo(0.4);
    }

    @Test
    void benchmarkItself_isNoLoad() {
        turn("round 1/3 of Baton", 3, 97);
        assertThat(warnings).isEmpty();
        assertThat(watch.seen().isBusy()).isFalse();
        assertThat(watch.seen().most()).isCloseTo(0.03, within(1e-9));
    }

    @Test
    void loadThatRises_isWarnedOf_once_andAgainWhenItRisesMore() {
        turn("round 1/3 of Baton", 0, 50);
        turn("round 1/3 of RLock", 20, 50);
        turn("round 2/3 of Baton", 22, 50);
        turn("round 2/3 of RLock", 50, 50);
        turn("round 3/3 of Baton", 0, 50);
        turn("round 3/3 of RLock", 11, 50);
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0)).contains("20" + Lines.GLUE + "%", "round 1/3 of RLock", "its rate is lower");
        assertThat(warnings.get(1)).contains("round 2/3 of RLock");
        assertThat(watch.seen()).isEqualTo(new Load(0, 0.5, 4, 6));
    }

    @Test
    void line_ofTheSystem_isCounted_withoutIdleTime_andInterrupts() {
        CpuTimes times = Processors.parse("cpu  10 20 30 400 5000 60 70 80 9 0", 7);
        assertThat(times).isEqualTo(new CpuTimes(5670e7, 140e7, 7));
    }

    @Test
    @Timeout(60)
    void processors_count_ownWorkAsOwn() {
        Processors processors = new Processors(List.of());
        CpuTimes before = processors.get();
        double sum = 0;
        while (processors.get().own() - before.own() < 2e8) {
            sum += Math.sin(sum + 1);
        }
        CpuTimes after = processors.get();
        assertThat(sum).isNotNaN();
        assertThat(after.capacity() - before.capacity()).isGreaterThanOrEqualTo(1.5e8);
        assertThat(after.busy() - before.busy()).isGreaterThanOrEqualTo(1.5e8);
        assertThat(after.othersSince(before)).isBetween(0.0, 1.0);
    }
}
