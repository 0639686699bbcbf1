package dev.baton.house;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Information of the sources that compiled classes lack. */
final class Sources {
    /** A method or constructor, from its annotations to its last brace. */
    record Method(String type, String name, String place, long lines, Set<String> annotations) {}

    /** A class and the simple name of the class that it extends. */
    record Type(String name, Optional<String> parent) {}

    private final List<Method> methods = new ArrayList<>();
    private final List<Type> types = new ArrayList<>();
    private final List<String> synchronizedPlaces = new ArrayList<>();

    private Sources() {}

    /** Returns the main sources of all modules. */
    static List<Path> mainFiles() {
        return Repository.modules().stream()
                .flatMap(module -> Repository.javaFiles(Repository.mainJava(module)).stream())
                .toList();
    }

    /** Returns the sources with tests: every module's test directory, and the contracts. */
    static List<Path> testFiles() {
        Stream<Path> directories = Stream.concat(
                Repository.allModules().stream().map(Repository::testJava),
                Stream.of(Repository.mainJava("baton-tck")));
        return directories
                .flatMap(directory -> Repository.javaFiles(directory).stream())
                .toList();
    }

    static Sources parse(List<Path> files) {
        Sources sources = new Sources();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                sources.new Reader(unit, positions).scan(unit, null);
            }
            return sources;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Method> methods() {
        return methods;
    }

    /** Returns the places that use {@code synchronized}, as {@code file:line}. */
    List<String> synchronizedPlaces() {
        return synchronizedPlaces;
    }

    boolean has(String type) {
        return types.stream().anyMatch(known -> known.name().equals(type));
    }

    /** Returns whether a class has a method with one of the annotations, either its own or inherited. */
    boolean has(String type, String method, Set<String> annotations) {
        boolean own = methods.stream()
                .filter(known -> known.type().equals(type) && known.name().equals(method))
                .anyMatch(known -> known.annotations().stream().anyMatch(annotations::contains));
        return own
                || types.stream()
                        .filter(known -> known.name().equals(type))
                        .flatMap(known -> known.parent().stream())
                        .anyMatch(parent -> has(parent, method, annotations));
    }

    /** Visits one file. */
    private final class Reader extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;

        Reader(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
        }

        @Override
        public Void visitClass(ClassTree tree, Void unused) {
            Optional<String> parent =
                    Optional.ofNullable(tree.getExtendsClause()).map(Object::toString);
            types.add(new Type(tree.getSimpleName().toString(), parent));
            return super.visitClass(tree, unused);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void unused) {
            String type = ((ClassTree) getCurrentPath().getParentPath().getLeaf())
                    .getSimpleName()
                    .toString();
            long lines = endLine(tree) - startLine(tree) + 1;
            methods.add(new Method(type, tree.getName().toString(), place(tree), lines, annotations(tree)));
            if (tree.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
                synchronizedPlaces.add(place(tree));
            }
            return super.visitMethod(tree, unused);
        }

        @Override
        public Void visitSynchronized(SynchronizedTree tree, Void unused) {
            synchronizedPlaces.add(place(tree));
            return super.visitSynchronized(tree, unused);
        }

        private Set<String> annotations(MethodTree tree) {
            return tree.getModifiers().getAnnotations().stream()
                    .map(annotation -> annotation.getAnnotationType().toString())
                    .collect(Collectors.toSet());
        }

        private String place(Tree tree) {
            return Repository.name(Path.of(unit.getSourceFile().toUri())) + ":" + startLine(tree);
        }

        private long startLine(Tree tree) {
            return unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
        }

        private long endLine(Tree tree) {
            return unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree));
        }
    }
}
