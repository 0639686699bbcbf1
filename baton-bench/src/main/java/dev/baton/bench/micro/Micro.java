package dev.baton.bench.micro;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs JMH's own command line, and always reports the bytes that an operation allocates.
 *
 * <pre>{@code
 * java -cp 'baton-bench/target/app/*' dev.baton.bench.micro.Micro Pairs -p store=redis://127.0.0.1:6379 -rf json
 * }</pre>
 */
public final class Micro {
    private static final List<String> BYTES = List.of("-prof", "gc");

    private Micro() {}

    /**
     * Runs the benchmarks.
     *
     * @param args the arguments of JMH; {@code -h} explains them
     * @throws IOException if results cannot be written
     */
    public static void main(String[] args) throws IOException {
        org.openjdk.jmh.Main.main(withBytes(args));
    }

    /** Adds the profiler unless it was requested, because JMH would report it twice. */
    static String[] withBytes(String... args) {
        boolean asked = Arrays.asList(args).containsAll(BYTES);
        return Stream.concat(asked ? Stream.empty() : BYTES.stream(), Arrays.stream(args))
                .toArray(String[]::new);
    }
}
