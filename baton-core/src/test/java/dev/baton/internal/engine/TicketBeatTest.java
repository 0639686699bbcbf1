package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TicketBeatTest {
    private static final long MILLI = 1_000_000;

    private final EngineSettings settings = new InlineDriver().settings(5_000 * MILLI);

    private static Waiter caller() {
        return new EngineCase.Caller(new HoldRequest(1, false, 30_000 * MILLI, false, 0, 0, false, 0), false, true);
    }

    /** Callers that give up one after the other must not put it off: the store would show one who left long ago. */
    @Test
    void storeIsToldOfAnHeir_halfASecondAfterTheFirstChange() {
        TicketBeat beat = new TicketBeat(settings, caller(), 0);
        beat.failed(0);
        long unchanged = beat.dueNanos();
        beat.isFor(caller(), 100 * MILLI);
        long due = beat.dueNanos();
        assertThat(due).isEqualTo(100 * MILLI + EngineSettings.DESCRIBE_NANOS).isLessThan(unchanged);
        beat.isFor(caller(), 400 * MILLI);
        assertThat(beat.dueNanos()).isEqualTo(due);
        beat.told(beat.untold());
        assertThat(beat.dueNanos()).isEqualTo(unchanged);
    }
}
