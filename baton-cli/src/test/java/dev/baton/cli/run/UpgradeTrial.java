package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.BatonProcess;
import dev.baton.cli.console.ExitCode;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * A client of an earlier revision and one of this revision meet in one namespace. Where the format has changed, the second
 * one is refused and says what to do; elsewhere the two exclude each other. {@code etc/upgrade} runs it; the class's name
 * keeps it out of the other runs, because it needs the earlier revision.
 */
class UpgradeTrial {
    /** The jars of the earlier revision. */
    private static final Path EARLIER = Path.of(System.getProperty("baton.upgrade.from"));

    private static final String NOW = System.getProperty("java.class.path");

    /** Users add the drivers that Baton's command does not bring. */
    private static final String THEN = Stream.concat(
                    Stream.of(EARLIER + "/*"),
                    Stream.of(NOW.split(File.pathSeparator)).filter(jar -> jar.matches(".*/(h2|mysql-connector).*")))
            .collect(Collectors.joining(File.pathSeparator));

    private static final Set<Place> OTHER_FORMAT =
            EnumSet.of(Place.REDIS, Place.POSTGRESQL, Place.MARIADB, Place.MYSQL);

    /** Their descriptor is one text, which clients of the other revision cannot read: it got an identity. */
    private static final Set<Place> OTHER_TEXT = EnumSet.of(Place.ZOOKEEPER, Place.ETCD, Place.MEMCACHED);

    private static final String NAME = "shared";

    @TempDir
    private Path directory;

    private int started;

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2_FILE")
    void namespaceOfTheEarlier(Place place) throws Exception {
        meet(place, THEN, NOW, "update the clients that made it, and begin");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2_FILE")
    void namespaceOfThis(Place place) throws Exception {
        // The earlier revision words it; those that know a range of versions say to update Baton.
        meet(place, NOW, THEN, "another namespace");
    }

    private void meet(Place place, String first, String second, String advice) throws Exception {
        String uri = place.uri(directory);
        String namespace = first.equals(THEN) ? "made-then" : "made-now";
        Path holding = directory.resolve("holding");
        Path overlapped = directory.resolve("overlapped");
        try (BatonProcess holder = run(
                first, uri, namespace, "--wait", "30s", "--", "sh", "-c", "echo $$ >" + holding + "; exec sleep 100")) {
            Runs.until(
                    "the first one holds, or has ended",
                    () -> Files.exists(holding) || !holder.handle().isAlive());
            assertThat(holding).as(holder.err()).exists();
            try (BatonProcess other = run(second, uri, namespace, "--no-wait", "--", "touch", overlapped.toString())) {
                int exitCode = other.exitCode();
                assertThat(overlapped).doesNotExist();
                if (OTHER_FORMAT.contains(place)) {
                    assertThat(other.err()).contains("protocol version", advice);
                    assertThat(exitCode).isEqualTo(ExitCode.RUN_STORE);
                } else if (OTHER_TEXT.contains(place)) {
                    assertThat(other.err()).contains("namespace", "another namespace");
                    assertThat(exitCode).isEqualTo(ExitCode.RUN_STORE);
                } else {
                    assertThat(exitCode).as(other.err()).isEqualTo(ExitCode.RUN_BUSY);
                }
            }
            assertThat(holder.handle().isAlive()).as("the first one goes on").isTrue();
            holder.signal("TERM");
            holder.exitCode();
        }
        if (!OTHER_FORMAT.contains(place) && !OTHER_TEXT.contains(place)) {
            try (BatonProcess next =
                    run(second, uri, namespace, "--wait", "30s", "--", "touch", overlapped.toString())) {
                assertThat(next.exitCode()).as(next.err()).isEqualTo(ExitCode.OK);
            }
            assertThat(overlapped).exists();
        }
    }

    private BatonProcess run(String classPath, String uri, String namespace, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "--store", uri, "--namespace", namespace, "--name", NAME));
        words.addAll(List.of(arguments));
        Path own = Files.createDirectory(directory.resolve("run" + started++));
        return BatonProcess.start(own, classPath, List.of(), Map.of(), words.toArray(String[]::new));
    }
}
