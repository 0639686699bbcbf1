package dev.baton.redis;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The pipeline of main, compiled from its sources for {@link PipelineModel}'s world; and broken twins of it, which
 * differ in a few words. So the tests check the shipped code, and the twins never lag behind it.
 */
final class PipelineVariant {
    private static final Path MAIN = Path.of("src/main/java/dev/baton/redis");
    private static final Path CORE = Path.of("../baton-core/src/main/java/dev/baton");
    private static final Path TEST = Path.of("src/test/java/dev/baton/redis");
    private static final String RENAMED =
            "\\b(Pipeline|Outbound|Distance|Call|Confirmation|Pump|PipelineModel|JointCommand|Deadline|VirtualThreads)\\b";
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Replaces the JVM's clock. */
    private static final String DEADLINE = """
            package dev.baton.redis;
            record Deadline(long end) {
                static Deadline in(long nanos) { return new Deadline(PipelineModel.now() + nanos); }
                long leftNanos() { return end - PipelineModel.now(); }
                Deadline orIn(long nanos) { return nanos < leftNanos() ? in(nanos) : this; }
            }
            """;

    private static final String VIRTUAL_THREADS = """
            package dev.baton.redis;
            final class VirtualThreads {
                static boolean isVirtual(Thread thread) { return PipelineModel.isVirtual(thread); }
            }
            """;

    private static final String PUMP = """
            package dev.baton.redis;
            final class Pump {
                private final Runnable task;
                private volatile boolean closed;
                Pump(Runnable task, String name) { this.task = task; }
                void wake() { if (!closed) PipelineModel.wakePump(task); }
                void close() { closed = true; }
            }
            """;

    private final String suffix = "Variant" + COUNT.incrementAndGet();
    private final Map<String, String> sources = new HashMap<>();

    private PipelineVariant() throws IOException {
        for (String name : List.of("Pipeline", "Outbound", "Call", "Confirmation")) {
            String source = Files.readString(MAIN.resolve(name + ".java"));
            sources.put(name, source.replace("Thread.currentThread()", "PipelineModel.currentThread()"));
        }
        for (String name : List.of("PipelineModel", "JointCommand")) {
            sources.put(name, Files.readString(TEST.resolve(name + ".java")));
        }
        sources.put(
                "Distance",
                Files.readString(CORE.resolve("internal/store/Distance.java"))
                        .replace("package dev.baton.internal.store;", "package dev.baton.redis;"));
        sources.put("Deadline", DEADLINE);
        sources.put("Pump", PUMP);
        sources.put("VirtualThreads", VIRTUAL_THREADS);
    }

    /** Returns the pipeline as it is shipped. */
    static PipelineVariant shipped() {
        try {
            return new PipelineVariant();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the pipeline as it is shipped, on a connection that counts as far from its beginning. */
    static PipelineVariant far() {
        return shipped()
                .but(
                        "Distance",
                        "private static final int SLOW_AT_FIRST = 8;",
                        "private static final int SLOW_AT_FIRST = 0;")
                .but("Distance", "NEAR_NANOS = TimeUnit.MICROSECONDS.toNanos(150)", "NEAR_NANOS = -1");
    }

    /**
     * Breaks it.
     *
     * @param words the text to replace; must occur exactly once
     */
    PipelineVariant but(String type, String words, String instead) {
        String source = sources.get(type);
        int at = source.indexOf(words);
        if (at < 0 || source.indexOf(words, at + 1) >= 0) {
            throw new IllegalArgumentException("not there once, so this twin is to be thought of anew: " + words);
        }
        sources.put(type, source.replace(words, instead));
        return this;
    }

    /** Compiles it. */
    @SuppressWarnings("unchecked")
    Supplier<PipelineUsers> users() {
        try {
            Map<String, Class<?>> types = new HashMap<>();
            for (Map.Entry<String, ByteArrayOutputStream> each : compile().entrySet()) {
                // Into the test's class loader: the checker looks for classes there.
                types.put(
                        each.getKey(),
                        MethodHandles.lookup().defineClass(each.getValue().toByteArray()));
            }
            Class<?> maker = types.get("dev.baton.redis.PipelineModel" + suffix + "$Maker");
            return (Supplier<PipelineUsers>) maker.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private String renamed(String source) {
        return source.replace("import dev.baton.spi.Deadline;", "")
                .replace("import dev.baton.internal.store.Distance;", "")
                .replace("import dev.baton.internal.store.VirtualThreads;", "")
                .replace(
                        "import java.util.concurrent.locks.LockSupport;",
                        "import dev.baton.redis.PipelineModel.LockSupport;")
                .replaceAll(RENAMED, "$1" + suffix);
    }

    private Map<String, ByteArrayOutputStream> compile() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        Output output = new Output(compiler.getStandardFileManager(problems, null, null));
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, text) -> files.add(new Source(name + suffix, renamed(text))));
        List<String> options =
                List.of("-proc:none", "-nowarn", "-g", "-classpath", System.getProperty("java.class.path"));
        if (!compiler.getTask(null, output, problems, options, null, files).call()) {
            throw new IllegalStateException(problems.getDiagnostics().stream()
                    .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                    .toList()
                    .toString());
        }
        return output.classes;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///dev/baton/redis/" + name + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {
        // Sorted by name: an interface comes before its implementations.
        private final Map<String, ByteArrayOutputStream> classes = new TreeMap<>();

        Output(JavaFileManager manager) {
            super(manager);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return classes.computeIfAbsent(name, any -> new ByteArrayOutputStream());
                }
            };
        }
    }
}
