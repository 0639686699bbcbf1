package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Capabilities.Reach;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreProvider;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A contract that is left out is named, and one that does not apply is not asked for. */
class ContractsCheckTest {
    private static final Capabilities HOST =
            Capabilities.builder("shelf", Reach.HOST).build();

    private static ContractsCheck check(Capabilities store, Class<?>... tests) {
        return ContractsCheck.of(store).among(Set.of(tests)::contains);
    }

    @Test
    void tests_thatLeaveContractsOut_failNamingThem() {
        assertThatThrownBy(() -> check(HOST, HeldToStoreContracts.class, HeldToClientContracts.class)
                        .in(ContractsCheckTest.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ClientContractUserCode, ClientContractThreadLimit, which shelf")
                .hasMessageNotContaining("CrashContract")
                .hasMessageNotContaining("WireContract");
    }

    @Test
    void tests_withAllThatApply_pass() {
        check(HOST, HeldToStoreContracts.class, HeldToClientContracts.class, HeldToWork.class, HeldToUserCode.class)
                .in(ContractsCheckTest.class);
    }

    @Test
    void contractThatIsDisabled_orAbstract_isLeftOut() {
        assertThatThrownBy(() -> check(
                                HOST,
                                HeldToStoreContracts.class,
                                HeldToClientContracts.class,
                                HeldToWork.class,
                                HeldToNestedUserCode.class,
                                HeldDisabled.class,
                                HeldAbstract.class)
                        .in(ContractsCheckTest.class))
                .hasMessageContaining("no test class extends ClientContractThreadLimit, which");
    }

    @Test
    void capabilities_sayWhichContractsApply() {
        Capabilities jvm = Capabilities.builder("x", Reach.JVM).build();
        Capabilities network = Capabilities.builder("x", Reach.NETWORK)
                .session(Duration.ofSeconds(10))
                .notes(true)
                .build();
        assertThat(Contracts.of(network)).isEqualTo(Contracts.ALL);
        assertThat(Contracts.of(HOST)).contains(CrashContract.class, DifferentialContract.class);
        assertThat(Contracts.of(HOST)).doesNotContain(WireContract.class, SessionContract.class);
        assertThat(Contracts.of(jvm)).contains(DifferentialContract.class).doesNotContain(CrashContract.class);
        assertThat(Contracts.of(new MemoryFixture().capabilities()))
                .contains(StoreContract.class)
                .doesNotContain(DifferentialContract.class);
    }

    @Test
    void providerOfSeveralStores_needsACheckForEach() {
        StoreProvider two = new StoreProvider() {
            @Override
            public Map<String, Capabilities> schemes() {
                return Map.of("a", HOST, "b", HOST.toBuilder().queue(true).build());
            }

            @Override
            public Store open(StoreConfig config) {
                throw new AssertionError("not asked for");
            }
        };
        assertThatThrownBy(() -> ContractsCheck.of(two))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("check each");
    }
}

/** Not run: its name does not end in Test. */
class HeldToStoreContracts extends AllStoreContracts {
    @Override
    protected StoreFixture newFixture() {
        throw new AssertionError("not run");
    }
}

class HeldToClientContracts extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        throw new AssertionError("not run");
    }
}

class HeldToWork extends AllSharedWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        throw new AssertionError("not run");
    }
}

class HeldToUserCode extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() {
        throw new AssertionError("not run");
    }
}

/** One contract in a class of its own, another that is switched off. */
class HeldToNestedUserCode {
    @Nested
    class UserCode extends ClientContractUserCode {
        @Override
        protected StoreFixture newFixture() {
            throw new AssertionError("not run");
        }
    }

    @Nested
    @Disabled("to see that it does not count")
    class ThreadLimit extends ClientContractThreadLimit {
        @Override
        protected StoreFixture newFixture() {
            throw new AssertionError("not run");
        }
    }
}

@Disabled("to see that it does not count")
class HeldDisabled extends ClientContractThreadLimit {
    @Override
    protected StoreFixture newFixture() {
        throw new AssertionError("not run");
    }
}

abstract class HeldAbstract extends ClientContractThreadLimit {}
