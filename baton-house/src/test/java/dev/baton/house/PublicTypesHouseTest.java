package dev.baton.house;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The API is narrow: few types are public, and the others cannot be imported. */
class PublicTypesHouseTest {
    private static final Set<String> EXPORTED = Set.of("dev.baton", "dev.baton.spi");

    /** A newcomer can look through so many. */
    private static final int MOST = 60;

    /** A class of the benchmarks, in the store's package to reach its pipeline; it is not in the store's jar. */
    private static final Set<String> NOT_IN_THE_JAR = Set.of("dev.baton.redis.BarePipeline");

    /** Types that users call on their own connections. */
    private static final Set<String> FENCES = Set.of("dev.baton.jdbc.Fence", "dev.baton.redis.RedisFence");

    /** With {@code -Dbaton.house.write=true} the list is written instead. */
    @Test
    void exportedTypes_areThoseOfTheList_andFew() throws IOException {
        List<String> exported = Compiled.types().stream()
                .filter(PublicTypesHouseTest::isExported)
                .map(JavaClass::getName)
                .sorted()
                .toList();
        Committed.list("exported-types.txt").check(exported);
        assertThat(exported.stream().filter(name -> !name.contains("$")))
                .as("exported types that are in no other: make some package-private, or put two into one")
                .hasSizeLessThanOrEqualTo(MOST);
    }

    private static boolean isExported(JavaClass type) {
        return EXPORTED.contains(type.getPackageName()) && isPublic(type);
    }

    /** Returns whether a type and all types around it are public. */
    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(PublicTypesHouseTest::isPublic).orElse(true);
    }

    @Test
    void core_exportsTwoPackages_andTheRestToOursAlone() throws IOException {
        Set<String> kits = Set.of("dev.baton.tck", "dev.baton.test");
        assertThat(exports("baton-core"))
                .as("one more exported package is a decision for docs/decisions; internal ones are for our own modules")
                .isEqualTo(Map.of(
                        "dev.baton", Set.of(),
                        "dev.baton.spi", Set.of(),
                        "dev.baton.internal.client", kits,
                        "dev.baton.internal.engine", kits,
                        "dev.baton.internal.memory", kits,
                        "dev.baton.internal.ordered", Set.of("dev.baton.etcd", "dev.baton.tck", "dev.baton.zookeeper"),
                        "dev.baton.internal.store",
                                Set.of(
                                        "dev.baton.etcd",
                                        "dev.baton.jdbc",
                                        "dev.baton.memcached",
                                        "dev.baton.redis",
                                        "dev.baton.tck")));
    }

    /** Returns the exported packages and their targets; no targets means all modules. */
    private static Map<String, Set<String>> exports(String module) throws IOException {
        try (InputStream compiled =
                Files.newInputStream(Compiled.classes(module).resolve("module-info.class"))) {
            return ModuleDescriptor.read(compiled).exports().stream().collect(toMap(Exports::source, Exports::targets));
        }
    }

    /** The module path refuses two modules with one package. */
    @Test
    void packageOfAPublishedModule_isInNoOther() {
        Map<String, List<String>> homes = new TreeMap<>();
        Repository.modules().stream()
                .filter(Repository::isPublished)
                .forEach(module -> Compiled.packages(module)
                        .forEach(name -> homes.computeIfAbsent(name, key -> new ArrayList<>())
                                .add(module)));
        assertThat(homes).as("published modules and their packages").hasSizeGreaterThan(10);
        assertThat(homes.values()).as("modules that share a package").allMatch(modules -> modules.size() == 1);
    }

    @Test
    void storePackage_hasOnePublicType_itsProvider() {
        Predicate<JavaClass> isPublicTopLevel = type -> Compiled.isTopLevel(type) && isPublic(type);
        assertThat(Compiled.stores())
                .allSatisfy(store -> assertThat(Compiled.types().stream()
                                .filter(type -> type.getPackageName()
                                        .equals(store.getClass().getPackageName()))
                                .filter(type -> !type.getPackageName().startsWith("dev.baton.internal"))
                                .filter(isPublicTopLevel)
                                .filter(type -> !NOT_IN_THE_JAR.contains(type.getName()))
                                .filter(type -> !FENCES.contains(type.getName()))
                                .map(JavaClass::getName))
                        .as("a store is known by its StoreProvider: make its other classes package-private")
                        .isSubsetOf(store.getClass().getName()));
    }
}
