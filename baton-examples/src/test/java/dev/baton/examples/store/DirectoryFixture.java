package dev.baton.examples.store;

import dev.baton.spi.Protocol;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import dev.baton.tck.StoreFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

// tag::fixture[]
/** A new, empty directory for each case. */
final class DirectoryFixture implements StoreFixture {
    private final Path directory;

    DirectoryFixture() throws IOException {
        directory = Files.createTempDirectory("baton-directory");
    }

    @Override
    public StoreProvider provider() {
        return new DirectoryStoreProvider();
    }

    @Override
    public String uri() {
        return "dir:" + directory;
    }

    /** Opens the store below the engine; some contracts move its clock by hand. */
    @Override
    public Store open(String clientId, Timings timings, StoreListener listener, @Nullable LongSupplier clock)
            throws StoreFailure {
        StoreConfig config = config(uri(), clientId, timings, listener);
        return DirectoryStore.open(config, files(config), clock == null ? DirectoryStore::wallMicros : clock);
    }

    /** How many names take space: a store that grows with each name that was ever used fills up. */
    @Override
    public long residue() throws IOException {
        long names = 0;
        for (int number = 0; number < Protocol.BUCKETS; number++) {
            byte[] content = files(config(uri(), "", Timings.DEFAULTS, KilledWriter.DEAF))
                    .read("bucket-" + number);
            names += new Bucket(content, Timings.DEFAULTS, new Stamp("", 0, 0))
                    .states()
                    .size();
        }
        return names;
    }

    /** For the contract that runs a process of another user. */
    @Override
    public void admitOtherUsers() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    // end::fixture[]

    /** A client that was just closed may still write what it sent before. */
    @Override
    public void close() throws IOException {
        for (int tries = 1; Files.exists(directory); tries++) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            } catch (DirectoryNotEmptyException | UncheckedIOException written) {
                if (tries == 100) {
                    throw written;
                }
            }
        }
    }

    static StoreConfig config(String uri, String clientId, Timings timings, StoreListener listener) {
        return new StoreConfig(
                URI.create(uri), NAMESPACE, clientId, timings, Duration.ofSeconds(20), List.of(), listener, null);
    }

    static SharedFiles files(StoreConfig config) {
        return new SharedFiles(DirectoryStoreProvider.directory(config));
    }
}
