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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The API is narrow: few types are public, and the others cannot be imported. */
class PublicTypesHouseTest {
    private static final Set<String> EXPORTED = Set.of("dev.baton", "dev.baton.spi", "dev.baton.internal.ordered");
    private static final int ALL_FOR_ONE = 4;

    /** A class of the benchmarks, in the store's package to reach its pipeline; it is not in the store's jar. */
    private static final Set<String> NOT_IN_THE_JAR = Set.of("dev.baton.redis.BarePipeline");

    /** Types that users call on their own connections. */
    private static final Set<String> FENCES = Set.of("dev.baton.jdbc.Fence", "dev.baton.redis.RedisFence");

    @Test
    void publicTypes_areAtMostAQuarterOfAll() {
        List<JavaClass> all = Compiled.types();
        List<JavaClass> exported =
                all.stream().filter(PublicTypesHouseTest::isExported).toList();
        List<JavaClass> topLevel =
                exported.stream().filter(Compiled::isTopLevel).toList();
        String report = "public types: " + share(topLevel, all) + "; nested ones included: " + share(exported, all);
        System.out.println(report);
        assertThat(topLevel.size() * ALL_FOR_ONE)
                .as(report + ". Make types of the API package-private, or put two into one")
                .isLessThanOrEqualTo(all.size());
    }

    private static String share(List<JavaClass> some, List<JavaClass> all) {
        return "%d of %d (%.1f %%)".formatted(some.size(), all.size(), 100.0 * some.size() / all.size());
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
    void core_exportsThreePackages_andTheRestToTheTckAlone() throws IOException {
        assertThat(exports("baton-core"))
                .as("one more exported package is a decision for docs/decisions; internal ones are for the TCK alone")
                .isEqualTo(Map.of(
                        "dev.baton", Set.of(),
                        "dev.baton.spi", Set.of(),
                        "dev.baton.internal.ordered", Set.of(),
                        "dev.baton.internal.client", Set.of("dev.baton.tck"),
                        "dev.baton.internal.engine", Set.of("dev.baton.tck"),
                        "dev.baton.internal.memory", Set.of("dev.baton.tck")));
    }

    /** Returns the exported packages and their targets; no targets means all modules. */
    private static Map<String, Set<String>> exports(String module) throws IOException {
        try (InputStream compiled =
                Files.newInputStream(Compiled.classes(module).resolve("module-info.class"))) {
            return ModuleDescriptor.read(compiled).exports().stream().collect(toMap(Exports::source, Exports::targets));
        }
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
