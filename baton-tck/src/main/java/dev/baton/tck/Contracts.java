package dev.baton.tck;

import java.util.List;

/** The contracts that a store's module must subclass. A test of the project's own sees to it that no pair is missing. */
public final class Contracts {
    /**
     * All contracts. {@link CrashContract} is for stores that reach beyond one JVM, {@link DifferentialContract} for all
     * but the reference itself, {@link SessionContract} for stores whose holds end with their client's session.
     */
    public static final List<Class<?>> ALL = List.of(
            StoreContract.class,
            DifferentialContract.class,
            HistoryContract.class,
            CrashContract.class,
            WireContract.class,
            SessionContract.class,
            ClientContractExclusion.class,
            ClientContractWaiting.class,
            ClientContractFaults.class,
            ClientContractLoss.class,
            ClientContractThreads.class,
            ClientContractTemplates.class,
            ClientContractUserCode.class,
            ClientContractThreadLimit.class,
            ClientContractLifecycle.class,
            ClientContractClosing.class,
            ClientContractAdmin.class);

    private Contracts() {}
}
