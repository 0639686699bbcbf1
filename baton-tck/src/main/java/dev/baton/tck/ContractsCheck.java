package dev.baton.tck;

import dev.baton.spi.Capabilities;
import dev.baton.spi.StoreProvider;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Whether a store's tests leave a contract out. In one line of a test of the store's module:
 * {@code ContractsCheck.of(new MyStoreProvider()).in(MyStoreTest.class)}. Immutable.
 */
public final class ContractsCheck {
    private final Capabilities store;
    private final Predicate<Class<?>> tests;

    private ContractsCheck(Capabilities store, Predicate<Class<?>> tests) {
        this.store = store;
        this.tests = tests;
    }

    /**
     * A check for the store of a provider.
     *
     * @param provider provides one kind of store
     * @return the check
     * @throws IllegalArgumentException if it provides several, which need a check each: {@link #of(Capabilities)}
     */
    public static ContractsCheck of(StoreProvider provider) {
        Set<Capabilities> kinds = Set.copyOf(provider.schemes().values());
        if (kinds.size() != 1) {
            throw new IllegalArgumentException(provider.getClass().getName() + " provides "
                    + kinds.stream().map(Capabilities::store).sorted().toList()
                    + ": check each by its capabilities, among the tests that are its own");
        }
        return of(kinds.iterator().next());
    }

    /**
     * A check for one kind of store.
     *
     * @param store what it can do
     * @return the check
     */
    public static ContractsCheck of(Capabilities store) {
        return new ContractsCheck(store, ContractsCheck::isRun);
    }

    /**
     * The same check among fewer test classes: those of one store, where a module tests several, or those that the build
     * runs, where it does not run all.
     *
     * @param own whether a top-level test class counts
     * @return the narrower check
     */
    public ContractsCheck among(Predicate<Class<?>> own) {
        return new ContractsCheck(store, tests.and(own));
    }

    /**
     * Fails if the tests of a module leave out a contract that the store has to keep.
     *
     * @param anyTest a class of the module's tests
     * @throws AssertionError naming the contracts
     */
    public void in(Class<?> anyTest) {
        List<Class<?>> leftOut = leftOut(rootOf(anyTest));
        if (!leftOut.isEmpty()) {
            throw new AssertionError("no test class extends " + names(leftOut) + ", which " + store.store()
                    + " has to keep, as its capabilities say: " + store);
        }
    }

    /**
     * The contracts that the store has to keep and that no test class extends.
     *
     * @param root a directory of compiled tests, or a jar, which the thread's context class loader can load
     * @return contracts, in the order of {@link Contracts#ALL}; empty if all are there
     */
    public List<Class<?>> leftOut(URI root) {
        List<Class<?>> classes = ReflectionSupport.findAllClassesInClasspathRoot(root, tests, name -> true);
        return Contracts.of(store).stream()
                .filter(contract -> classes.stream().noneMatch(type -> isHeldTo(type, contract)))
                .toList();
    }

    /** Whether JUnit would run it by itself: nested classes are run as parts of others. */
    private static boolean isRun(Class<?> type) {
        return type.getEnclosingClass() == null
                && !Modifier.isAbstract(type.getModifiers())
                && !type.isAnnotationPresent(Disabled.class);
    }

    /** A class keeps the contract that it extends, and those of its nested classes, inherited ones included. */
    private static boolean isHeldTo(Class<?> type, Class<?> contract) {
        return contract.isAssignableFrom(type)
                || Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
                        .flatMap(each -> Arrays.stream(each.getDeclaredClasses()))
                        .filter(nested -> nested.isAnnotationPresent(Nested.class))
                        .filter(nested -> !nested.isAnnotationPresent(Disabled.class))
                        .anyMatch(nested -> isHeldTo(nested, contract));
    }

    private static URI rootOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            if (source != null && source.getLocation() != null) {
                return source.getLocation().toURI();
            }
        } catch (URISyntaxException malformed) {
            throw new IllegalArgumentException(type.getName() + " comes from no path", malformed);
        }
        throw new IllegalArgumentException(type.getName() + " is of the JDK: name a class of the store's tests");
    }

    private static String names(List<Class<?>> contracts) {
        return contracts.stream().map(Class::getSimpleName).collect(Collectors.joining(", "));
    }
}
