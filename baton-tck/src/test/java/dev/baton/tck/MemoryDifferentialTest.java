package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The memory store runs the reference itself, so this tests the differential contract: it must be able to fail. */
class MemoryDifferentialTest {
    private static final int SEEDS = 40;

    @Test
    void soundTwin_isNotBlamed() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            long tried = seed;
            assertThatCode(() -> DifferentialContract.run(new BrokenFixture(BrokenStore.Flaw.NONE), tried))
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @EnumSource(value = BrokenStore.Flaw.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void brokenTwin_isCaughtWithItsSeed(BrokenStore.Flaw flaw) throws Exception {
        AssertionError caught = null;
        for (long seed = 1; seed <= SEEDS && caught == null; seed++) {
            try {
                DifferentialContract.run(new BrokenFixture(flaw), seed);
            } catch (AssertionError e) {
                caught = e;
            }
        }
        assertThat(caught).as("a seed that catches " + flaw).isNotNull();
        assertThat(caught).hasMessageContaining("-Dbaton.seed=").hasMessageContaining("the reference says");
    }
}
