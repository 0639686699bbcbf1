package dev.baton.bench.micro;

import dev.baton.Baton;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The one client that all threads share. */
@State(Scope.Benchmark)
public class MicroClient {
    /** The address of the store; the default is in this JVM, so that only Baton itself is measured. */
    @Param("memory:micro")
    public String store = "";

    private @Nullable Baton baton;

    /** Creates an instance; JMH needs it. */
    public MicroClient() {}

    /** Connects the client. */
    @Setup
    public void connect() {
        baton = Baton.connect(store);
    }

    Baton baton() {
        return Objects.requireNonNull(baton, "not connected");
    }

    /** Closes the client. */
    @TearDown
    public void close() {
        baton().close();
    }
}
