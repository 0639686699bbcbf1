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
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The compiled classes of all modules. */
final class Compiled {
    /** Output of an annotation processor does not follow our style. */
    private static final Pattern GENERATED = Pattern.compile(".*/jmh_generated/.*");

    private static final JavaClasses MAIN = importMain();

    private Compiled() {}

    /** Returns the main classes of all modules. */
    static JavaClasses main() {
        return MAIN;
    }

    /** Returns the main classes that were written by hand: no {@code package-info}, and no compiler-made class. */
    static List<JavaClass> types() {
        return MAIN.stream()
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(type -> !type.isAnonymousClass() && !type.isLocalClass())
                .toList();
    }

    /** Returns whether a type is not nested. */
    static boolean isTopLevel(JavaClass type) {
        return type.getEnclosingClass().isEmpty();
    }

    /** Returns the name of the top-level class that contains a class. */
    static String topLevelName(JavaClass type) {
        return type.getEnclosingClass().map(Compiled::topLevelName).orElseGet(type::getName);
    }

    /** Returns the directory of a module's test classes. */
    static Path testClasses(String module) {
        return target(module, "test-classes");
    }

    /** The packages of a module's main classes. */
    static Set<String> packages(String module) {
        return new ClassFileImporter()
                .importPath(classes(module)).stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.toSet());
    }

    static Path classes(String module) {
        return target(module, "classes");
    }

    /** A kind of store, and its provider. */
    record StoreKind(StoreProvider provider, Capabilities capabilities) {}

    /**
     * Returns all kinds of stores on the class path, ordered by reach and then by name; not that of the example, which checks
     * itself, nor those of the zoo, which are broken.
     */
    static List<StoreKind> stores() {
        return ServiceLoader.load(StoreProvider.class).stream()
                .filter(found -> !found.type().getPackageName().matches("dev\\.baton\\.(examples|chaos)\\b.*"))
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
