package dev.baton.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.baton.spi.Capabilities;
import dev.baton.spi.StoreProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;

/** The compiled classes of all modules. */
final class Compiled {
    /** What an annotation processor wrote has no style of ours. */
    private static final Pattern GENERATED = Pattern.compile(".*/jmh_generated/.*");

    private static final JavaClasses MAIN = importMain();

    private Compiled() {}

    /** The main classes of all modules. */
    static JavaClasses main() {
        return MAIN;
    }

    /** The main classes that are somebody's idea: no {@code package-info}, nothing that only the compiler made. */
    static List<JavaClass> types() {
        return MAIN.stream()
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(type -> !type.isAnonymousClass() && !type.isLocalClass())
                .toList();
    }

    /** A type that is in no other. */
    static boolean isTopLevel(JavaClass type) {
        return type.getEnclosingClass().isEmpty();
    }

    /** The name of the file's class, for a class in it. */
    static String topLevelName(JavaClass type) {
        return type.getEnclosingClass().map(Compiled::topLevelName).orElseGet(type::getName);
    }

    /** Where the test classes of a module are. */
    static Path testClasses(String module) {
        return target(module, "test-classes");
    }

    static Path classes(String module) {
        return target(module, "classes");
    }

    /** A kind of store, and who opens it. */
    record StoreKind(StoreProvider provider, Capabilities capabilities) {}

    /** All kinds of stores on the class path, the one that needs nothing first; not that of the example, which checks itself. */
    static List<StoreKind> stores() {
        return ServiceLoader.load(StoreProvider.class).stream()
                .filter(found -> !found.type().getPackageName().startsWith("dev.baton.examples"))
                .map(ServiceLoader.Provider::get)
                .flatMap(provider -> provider.schemes().values().stream()
                        .distinct()
                        .map(capabilities -> new StoreKind(provider, capabilities)))
                .sorted(Comparator.comparing(
                                (StoreKind store) -> store.capabilities().reach())
                        .thenComparing(store -> store.capabilities().store()))
                .toList();
    }

    private static Path target(String module, String directory) {
        Path path = Repository.ROOT.resolve(module).resolve("target").resolve(directory);
        if (!Files.isDirectory(path)) {
            throw new IllegalStateException(
                    "no " + Repository.name(path) + ": build it first (./mvnw test -pl baton-house -am)");
        }
        return path;
    }

    private static JavaClasses importMain() {
        return new ClassFileImporter()
                .withImportOption(location -> !location.matches(GENERATED))
                .importPaths(
                        Repository.modules().stream().map(Compiled::classes).toList());
    }
}
