package dev.baton.tck;

import java.util.List;

/** The contracts that a store's module must subclass. A test of this project checks that no pair is missing. */
public final class Contracts {
    /**
     * All contracts. {@link CrashContract} applies to stores that reach beyond one JVM, {@link DifferentialContract} to
     * every store except the reference itself, {@link SessionContract} to stores whose holds end with their client's
     * session.
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
