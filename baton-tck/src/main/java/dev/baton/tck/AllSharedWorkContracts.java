package dev.baton.tck;

import org.junit.jupiter.api.Nested;

/** The contracts of {@link AllWorkContracts}, and those in which processes die: for stores that reach beyond one JVM. */
public abstract class AllSharedWorkContracts extends AllWorkContracts {
    /** For subclasses. */
    protected AllSharedWorkContracts() {}

    /** {@link WorkCrashContract}. */
    @Nested
    class Crash extends WorkCrashContract {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllSharedWorkContracts.this.newFixture();
        }
    }
}
