package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The contract must be able to fail: at least one of its cases detects every broken twin. */
class MemoryBrokenContractTest {
    private static BrokenStore.Flaw current = BrokenStore.Flaw.NONE;

    /** Run only by this test; its name hides it from test discovery. */
    static class Broken extends StoreContract {
        @Override
        protected StoreFixture newFixture() {
            return new BrokenFixture(current);
        }
    }

    /**
     * Skips cases with threads: a thread that waits for something that a broken twin lost would wait for a long time.
     */
    private static PostDiscoveryFilter withoutThreads() {
        return test -> FilterResult.includedIf(!test.getUniqueId().toString().contains("threadsOf"));
    }

    @ParameterizedTest
    @EnumSource(BrokenStore.Flaw.class)
    void twin_isCaughtIfBroken(BrokenStore.Flaw flaw) {
        current = flaw;
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(Broken.class))
                                .filters(withoutThreads())
                                .build(),
                        listener);
        assertThat(listener.getSummary().getTestsFoundCount()).isGreaterThan(60);
        if (flaw == BrokenStore.Flaw.NONE) {
            assertThat(listener.getSummary().getFailures()).isEmpty();
        } else {
            assertThat(listener.getSummary().getTestsFailedCount()).isPositive();
        }
    }
}
