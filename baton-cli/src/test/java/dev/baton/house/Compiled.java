package dev.baton.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.baton.spi.Capabilities;
import dev.baton.spi.StoreProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The compiled classes of all modules. */
final class Compiled {
    /** These modules are built after this one, so their classes are compiled here. */
    private static final List<String> BUILT_LATER = List.of("baton-examples");

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

    /** Returns the test classes of a module. */
    static JavaClasses tests(String module) {
        return new ClassFileImporter().importPath(target(module, "test-classes"));
    }

    static Path classes(String module) {
        return target(module, "classes");
    }

    /** A kind of store, and its provider. */
    record StoreKind(StoreProvider provider, Capabilities capabilities) {}

    /** Returns all kinds of stores on the class path, ordered by reach and then by name. */
    static List<StoreKind> stores() {
        return ServiceLoader.load(StoreProvider.class).stream()
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
                    "no " + Repository.name(path) + ": build it first (./mvnw test -pl baton-cli -am)");
        }
        return path;
    }

    private static JavaClasses importMain() {
        Path later = compileLaterModules();
        try {
            Stream<Path> built = Repository.modules().stream()
                    .filter(module -> !BUILT_LATER.contains(module))
                    .map(Compiled::classes);
            return new ClassFileImporter()
                    .withImportOption(location -> !location.matches(GENERATED))
                    .importPaths(Stream.concat(built, Stream.of(later)).toList());
        } finally {
            delete(later);
        }
    }

    private static Path compileLaterModules() {
        List<Path> sources = BUILT_LATER.stream()
                .flatMap(module -> Repository.javaFiles(Repository.mainJava(module)).stream())
                .toList();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            Path directory = Files.createTempDirectory("house");
            List<String> options = List.of("-proc:none", "--release", "17", "-d", directory.toString());
            if (!compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call()) {
                throw new IllegalStateException("cannot compile " + BUILT_LATER);
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            paths.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
