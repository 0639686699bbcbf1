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

/** The contract must be able to fail: every broken twin is caught by one of its cases. */
class MemoryBrokenContractTest {
    private static BrokenStore.Flaw current = BrokenStore.Flaw.NONE;

    /** Run by this test alone; its name keeps it from being found. */
    static class Broken extends StoreContract {
        @Override
        protected StoreFixture newFixture() {
            return new BrokenFixture(current);
        }
    }

    /** Threads that wait for what a broken twin lost would wait long. */
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
