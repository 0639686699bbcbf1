package dev.baton.bench.micro;

import dev.baton.Baton;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One client, which all threads share. */
@State(Scope.Benchmark)
public class MicroClient {
    /** The address of the store; the default is in this JVM, so that nothing but Baton itself is measured. */
    @Param("memory:micro")
    public String store = "";

    private @Nullable Baton baton;

    /** For JMH. */
    public MicroClient() {}

    /** Connects. */
    @Setup
    public void connect() {
        baton = Baton.connect(store);
    }

    Baton baton() {
        return Objects.requireNonNull(baton, "not connected");
    }

    /** Goes. */
    @TearDown
    public void close() {
        baton().close();
    }
}
