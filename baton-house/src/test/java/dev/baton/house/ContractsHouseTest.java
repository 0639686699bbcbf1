package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Capabilities.Reach;
import dev.baton.spi.StoreProvider;
import dev.baton.tck.AllClientContracts;
import dev.baton.tck.AllStoreContracts;
import dev.baton.tck.AllUserCodeContracts;
import dev.baton.tck.Contracts;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every store keeps every contract: a pair without a test is a failure. */
class ContractsHouseTest {
    /** Contracts that do not apply to every store. */
    private static final Map<String, Predicate<Capabilities>> LIMITED = Map.of(
            // A store within a process dies with that process.
            "CrashContract", store -> store.reach() != Reach.JVM,
            // A store on this machine has no network that could break.
            "WireContract", store -> store.reach() == Reach.NETWORK,
            "SessionContract", store -> store.session() != null,
            // The memory store is the reference of the comparison.
            "DifferentialContract", store -> store.reach() != Reach.JVM);

    /** Each of these groups contracts as nested classes, for one subclass. */
    private static final List<Class<?>> TOGETHER =
            List.of(AllStoreContracts.class, AllClientContracts.class, AllUserCodeContracts.class);

    private record Pair(Compiled.StoreKind store, Class<?> contract) {
        @Override
        public String toString() {
            return store.capabilities().store() + " × " + contract.getSimpleName();
        }
    }

    private static final Map<String, JavaClasses> TESTS = new HashMap<>();

    static Stream<Pair> pairs() {
        return Compiled.stores().stream()
                .flatMap(store -> Contracts.ALL.stream()
                        .filter(contract -> LIMITED.getOrDefault(contract.getSimpleName(), all -> true)
                                .test(store.capabilities()))
                        .map(contract -> new Pair(store, contract)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void contract_ofEveryStore_isTested(Pair pair) {
        String module = testModule(pair.store().provider());
        String prefix = pair.store().capabilities().store().toLowerCase(Locale.ROOT);
        Stream<JavaClass> tests = TESTS.computeIfAbsent(module, Compiled::tests).stream()
                .filter(type -> isHeldTo(type, pair.contract()))
                .filter(ContractsHouseTest::isRun);
        assertThat(tests.map(type -> simpleTopLevelName(type).toLowerCase(Locale.ROOT)))
                .as(
                        "%s: in the tests of %s nothing that is run extends %s; add it to a class whose name begins"
                                + " with the store's and ends in Test",
                        pair, module, pair.contract().getSimpleName())
                .anyMatch(name -> name.startsWith(prefix));
    }

    private static boolean isHeldTo(JavaClass type, Class<?> contract) {
        return type.isAssignableTo(contract)
                || TOGETHER.stream()
                        .filter(type::isAssignableTo)
                        .flatMap(together -> Stream.of(together.getDeclaredClasses()))
                        .anyMatch(contract::isAssignableFrom);
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

    /** Returns whether Maven runs it, at least at night. */
    private static boolean isRun(JavaClass type) {
        return !type.getModifiers().contains(JavaModifier.ABSTRACT)
                && (simpleTopLevelName(type).endsWith("Test") || isByNight(type))
                && (Compiled.isTopLevel(type) || type.isAnnotatedWith(Nested.class));
    }

    /**
     * Returns whether only the nightly run needs it: by day, some stores are enough to test the code above the store.
     */
    private static boolean isByNight(JavaClass type) {
        return simpleTopLevelName(type).endsWith("Nightly") && isAboveTheStore(type);
    }

    private static boolean isAboveTheStore(JavaClass type) {
        return type.isAssignableTo(AllUserCodeContracts.class)
                || type.getEnclosingClass()
                        .filter(ContractsHouseTest::isAboveTheStore)
                        .isPresent();
    }

    private static String simpleTopLevelName(JavaClass type) {
        String name = Compiled.topLevelName(type);
        return name.substring(name.lastIndexOf('.') + 1);
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

    private static boolean isTogether(String name) {
        return TOGETHER.stream().anyMatch(together -> together.getName().equals(name));
    }
}
