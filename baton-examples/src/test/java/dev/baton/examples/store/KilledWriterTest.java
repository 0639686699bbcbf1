package dev.baton.examples.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import dev.baton.tck.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process that is killed in the middle of a write takes nothing along, and leaves neither half a change nor a second
 * holder. The process stands still at a seeded write, before or after the moment at which it takes effect.
 */
@Tag("serial")
class KilledWriterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final AtomicLong skippedMicros = new AtomicLong();
    private DirectoryFixture fixture;
    private Store store;
    private long number;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Boolean.getBoolean("baton.nightly") ? 100 : 8);
    }

    @BeforeEach
    void open() throws Exception {
        fixture = new DirectoryFixture();
        store = fixture.open(
                "2".repeat(32),
                Timings.DEFAULTS,
                KilledWriter.DEAF,
                () -> DirectoryStore.wallMicros() + skippedMicros.get());
    }

    @AfterEach
    void close() throws Exception {
        store.close();
        fixture.close();
    }

    /** What the process said: when it stopped, at what, and the tokens of its holds that were acknowledged. */
    private record Stopped(boolean before, String command, String name, long token, Map<String, Long> held) {
        static Stopped parse(String line) {
            List<String> words = Arrays.asList(line.split(" ", -1));
            Map<String, Long> held = new TreeMap<>();
            for (String word : words.subList(4, words.size())) {
                held.put(word.split("=", -1)[0], Long.parseLong(word.split("=", -1)[1]));
            }
            return new Stopped(
                    words.get(0).equals("before"), words.get(1), words.get(2), Long.parseLong(words.get(3)), held);
        }

        /** Whether the process holds the name of its last command, as far as that took effect. */
        boolean holdsIt() {
            return before == command.equals("release");
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void writer_killedInTheMiddleOfAWrite_losesNothing_andLeavesOneHolder(long seed) throws Exception {
        try (ChildProcess writer = ChildProcess.start(KilledWriter.class, fixture.uri(), Long.toString(seed))) {
            Stopped stopped = Stopped.parse(writer.expect("STOPPED", PATIENCE));
            Path fresh = fresh(stopped.name());
            assertThat(Files.exists(fresh)).as("half a write: %s", fresh).isEqualTo(stopped.before());
            expectOnlyItsBucketWaits(stopped.name());
            writer.kill();
            expectHeldByTheWriter(stopped);
            expectFollowed(stopped);
            assertThat(fresh).as("written over, and moved to its place").doesNotExist();
        }
    }

    private Path fresh(String name) {
        Path directory = Path.of(fixture.uri().substring("dir:".length()));
        return directory.resolve("baton-tck").resolve("bucket-" + Protocol.bucketOf(name) + ".new");
    }

    /** While the writer stands still, the others are told in time that nothing was done; other buckets go on. */
    private void expectOnlyItsBucketWaits(String name) throws StoreFailure {
        StoreFailure failure = catchThrowableOfType(StoreFailure.class, () -> acquire(name, SHORT_NANOS));
        assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.NONE);
        assertThat(failure).hasMessageContaining("another writer");
        String elsewhere = name;
        while (Protocol.bucketOf(elsewhere) == Protocol.bucketOf(name)) {
            elsewhere += "x";
        }
        assertThat(acquire(elsewhere, TIMEOUT_NANOS)).isInstanceOf(Acquire.Granted.class);
    }

    private void expectHeldByTheWriter(Stopped stopped) throws StoreFailure {
        Map<String, Long> held = new TreeMap<>(stopped.held());
        if (stopped.holdsIt()) {
            held.put(stopped.name(), stopped.token());
        }
        for (int i = 0; i < 5; i++) {
            String name = "name-" + i;
            List<ResourceView.Hold> holds = store.inspect(name, TIMEOUT_NANOS).stream()
                    .flatMap(view -> view.holds().stream())
                    .toList();
            Long token = held.get(name);
            if (token == null) {
                assertThat(holds).as("holds of %s, %s", name, stopped).isEmpty();
            } else {
                assertThat(holds).as("holds of %s, %s", name, stopped).hasSize(1);
                assertThat(holds.get(0).client()).isEqualTo(KilledWriter.CLIENT);
                if (token != 0) {
                    assertThat(holds.get(0).token()).isEqualTo(token);
                }
                assertThat(acquire(name, TIMEOUT_NANOS)).isInstanceOf(Acquire.Held.class);
            }
        }
    }

    /** Once the leases of the dead are over, their locks are granted, with greater tokens. */
    private void expectFollowed(Stopped stopped) throws StoreFailure {
        List<String> names = new ArrayList<>(stopped.held().keySet());
        names.remove(stopped.name());
        names.add(stopped.name());
        skippedMicros.addAndGet(TimeUnit.SECONDS.toMicros(61));
        for (String name : names) {
            Acquire.Reply reply = acquire(name, TIMEOUT_NANOS);
            assertThat(reply).isInstanceOf(Acquire.Granted.class);
            assertThat(((Acquire.Granted) reply).token())
                    .isGreaterThan(stopped.held().getOrDefault(name, stopped.token()));
        }
    }

    private Acquire.Reply acquire(String name, long timeoutNanos) throws StoreFailure {
        CommandNumber attempt = CommandNumber.of(++number);
        return store.acquire(
                new Acquire(Resource.lock(name), attempt, 1, 60_000_000, 0, "other", Acquire.Mode.TRY, 0),
                timeoutNanos);
    }
}
