package dev.baton.bench.micro;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The command line: JMH's own, with the bytes that an operation allocates in any case.
 *
 * <pre>{@code
 * java -cp 'baton-bench/target/app/*' dev.baton.bench.micro.Micro Pairs -p store=redis://127.0.0.1:6379 -rf json
 * }</pre>
 */
public final class Micro {
    private static final List<String> BYTES = List.of("-prof", "gc");

    private Micro() {}

    /**
     * Measures.
     *
     * @param args as JMH knows them; {@code -h} explains
     * @throws IOException if results cannot be written
     */
    public static void main(String[] args) throws IOException {
        org.openjdk.jmh.Main.main(withBytes(args));
    }

    /** JMH would show twice what is asked for twice. */
    static String[] withBytes(String... args) {
        boolean asked = Arrays.asList(args).containsAll(BYTES);
        return Stream.concat(asked ? Stream.empty() : BYTES.stream(), Arrays.stream(args))
                .toArray(String[]::new);
    }
}
