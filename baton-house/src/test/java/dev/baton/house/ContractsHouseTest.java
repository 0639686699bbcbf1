package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import dev.baton.spi.StoreProvider;
import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.AllWorkContracts;
import dev.baton.tck.Contracts;
import dev.baton.tck.ContractsCheck;
import dev.baton.tck.WireContract;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every store keeps every contract: a pair without a test is a failure. */
class ContractsHouseTest {
    /**
     * A store of several servers has several ways to it, and goes on if one of them is cut: {@code QuorumFaultsTest} cuts
     * them.
     */
    private static final Map<String, Set<Class<?>>> EXEMPT = Map.of("Redis quorum", Set.of(WireContract.class));

    /** A second store of a module, whose first one runs the contract of clients by day: it takes minutes. */
    private static final String CLIENTS_AT_NIGHT = "RedisQuorumClientContractNightly";

    static Stream<Compiled.StoreKind> stores() {
        return Compiled.stores().stream();
    }

    /** By the check that the kit has for the authors of stores, on the classes that Maven runs. */
    @ParameterizedTest
    @MethodSource("stores")
    void contract_ofEveryStore_isTested(Compiled.StoreKind store) throws IOException {
        String module = testModule(store.provider());
        String prefix = store.capabilities().store().replace(" ", "").toLowerCase(Locale.ROOT);
        Set<Class<?>> exempt = EXEMPT.getOrDefault(store.capabilities().store(), Set.of());
        URL tests = Compiled.testClasses(module).toUri().toURL();
        Thread self = Thread.currentThread();
        ClassLoader before = self.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {tests}, before)) {
            self.setContextClassLoader(loader);
            assertThat(ContractsCheck.of(store.capabilities())
                            .among(type -> type.getSimpleName()
                                    .toLowerCase(Locale.ROOT)
                                    .startsWith(prefix))
                            .among(ContractsHouseTest::isRun)
                            .leftOut(URI.create(tests.toString()))
                            .stream()
                            .filter(contract -> !exempt.contains(contract)))
                    .as(
                            "%s: in the tests of %s nothing that is run extends these contracts; add them to a class whose"
                                    + " name begins with the store's and ends in Test",
                            store.capabilities().store(), module)
                    .isEmpty();
        } finally {
            self.setContextClassLoader(before);
        }
    }

    /**
     * Returns where a store is tested: in its own module. The stores of core are tested in the TCK, on which core
     * cannot depend.
     */
    private static String testModule(StoreProvider store) {
        String source = store.getClass().getName().replace('.', '/') + ".java";
        String home = Repository.modules().stream()
                .filter(module -> Files.exists(Repository.mainJava(module).resolve(source)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no module of this repository has " + source));
        return home.equals("baton-core") ? "baton-core-tests" : home;
    }

    /** Returns whether Maven runs it, at least at night: by day, some stores are enough to test the code above the store. */
    private static boolean isRun(Class<?> type) {
        return type.getSimpleName().endsWith("Test")
                || (type.getSimpleName().endsWith("Nightly")
                        && (type.getSimpleName().equals(CLIENTS_AT_NIGHT)
                                || AllUserCodeContracts.class.isAssignableFrom(type)
                                || AllWorkContracts.class.isAssignableFrom(type)));
    }

    @Test
    void contract_ofTheTck_isListed() {
        List<String> listed = Contracts.ALL.stream().map(Class::getName).toList();
        Stream<String> contracts = Compiled.types().stream()
                .filter(type -> type.getPackageName().equals("dev.baton.tck"))
                .filter(type -> type.getSimpleName().contains("Contract"))
                .filter(type -> type.getModifiers().contains(JavaModifier.ABSTRACT))
                .filter(type -> type.getSubclasses().stream().allMatch(sub -> isTogether(Compiled.topLevelName(sub))))
                .filter(type -> !isTogether(type.getName()))
                .map(JavaClass::getName);
        assertThat(contracts)
                .as("contracts that no store is held to: add them to Contracts.ALL")
                .isNotEmpty()
                .isSubsetOf(listed);
    }

    /** Such a class has contracts as nested classes, to be subclassed in their place. */
    private static boolean isTogether(String name) {
        return name.startsWith("dev.baton.tck.All");
    }
}
