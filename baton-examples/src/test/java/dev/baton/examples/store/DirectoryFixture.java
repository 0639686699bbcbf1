package dev.baton.examples.store;

import dev.baton.spi.Protocol;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
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

// tag::fixture[]
/** A new, empty directory for each case. */
class DirectoryFixture implements StoreFixture {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

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

    @Override
    public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return DirectoryStore.open(config, files(config), clock);
    }

    /** How many names take space: a store that grows with each name that was ever used fills up. */
    @Override
    public long residue() throws IOException {
        SharedFiles files = files(config(uri(), ""));
        long names = 0;
        for (int number = 0; number < Protocol.BUCKETS; number++) {
            Bucket bucket = new Bucket(files.read("bucket-" + number), Timings.DEFAULTS, new Stamp("", 0, 0));
            names += bucket.states().size();
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

    /** What a client of its own is opened with. */
    static StoreConfig config(String uri, String clientId) {
        return new StoreConfig(
                URI.create(uri), NAMESPACE, clientId, Timings.DEFAULTS, TIMEOUT, List.of(), KilledWriter.DEAF);
    }

    static SharedFiles files(StoreConfig config) {
        return new SharedFiles(DirectoryStoreProvider.directory(config));
    }
}
