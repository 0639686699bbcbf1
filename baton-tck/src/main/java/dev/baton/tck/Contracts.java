package dev.baton.tck;

import dev.baton.internal.memory.MemoryServer;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Capabilities.Reach;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The contracts of this kit, and which of them a store has to keep. {@link ContractsCheck} compares that with its tests. */
public final class Contracts {
    /** All contracts. */
    public static final List<Class<?>> ALL = List.of(
            StoreContract.class,
            DifferentialContract.class,
            HistoryContract.class,
            CrashContract.class,
            WorkCrashContract.class,
            WireContract.class,
            SessionContract.class,
            ClientContractExclusion.class,
            ClientContractWaiting.class,
            ClientContractFaults.class,
            ClientContractLoss.class,
            ClientContractThreads.class,
            ClientContractShares.class,
            ClientContractShareLeases.class,
            ClientContractShareOwners.class,
            ClientContractShareNumbers.class,
            ClientContractGroups.class,
            ClientContractGroupsAcross.class,
            ClientContractGroupSteps.class,
            ClientContractKept.class,
            ClientContractNotes.class,
            ClientContractJobs.class,
            ClientContractElections.class,
            ClientContractDeadlocks.class,
            ClientContractTemplates.class,
            ClientContractUserCode.class,
            ClientContractThreadLimit.class,
            ClientContractLifecycle.class,
            ClientContractClosing.class,
            ClientContractAdmin.class);

    /** Those that are not for every store. */
    private static final Map<Class<?>, Predicate<Capabilities>> LIMITED = Map.of(
            // A process that dies takes a store within it along.
            CrashContract.class, store -> store.reach() != Reach.JVM,
            WorkCrashContract.class, store -> store.reach() != Reach.JVM && store.notes(),
            // The network of a store on this machine cannot break.
            WireContract.class, store -> store.reach() == Reach.NETWORK,
            SessionContract.class, store -> store.session() != null,
            // The memory store is the reference that others are compared with.
            DifferentialContract.class, store -> !store.equals(MemoryServer.CAPABILITIES));

    private Contracts() {}

    /**
     * The contracts that a store has to keep.
     *
     * @param store what the store can do
     * @return those of {@link #ALL}, in their order
     */
    public static List<Class<?>> of(Capabilities store) {
        return ALL.stream()
                .filter(contract -> LIMITED.getOrDefault(contract, any -> true).test(store))
                .toList();
    }
}
