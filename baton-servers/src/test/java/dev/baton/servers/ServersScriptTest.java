package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code etc/servers} trusts, and its messages. The test uses no network. */
class ServersScriptTest {
    private static final Path SCRIPT = Path.of("../etc/servers");
    private static final long LIMIT_SECONDS = 60;

    @TempDir
    Path directory;

    private Path archive;
    private Path unpacked;

    private record Answer(int status, String text) {}

    @BeforeEach
    void place() {
        archive = directory.resolve("archive");
        unpacked = directory.resolve("unpacked");
    }

    private Answer run(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", SCRIPT.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().putAll(Map.of("BATON_SERVERS", unpacked.toString(), "BATON_MIRROR", "file:" + archive));
        Path output = directory.resolve("output");
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Answer(process.exitValue(), Files.readString(output));
    }

    /** Makes an archive with a redis-server that would be accepted, except for its signature. */
    private void fill() throws Exception {
        Path tree = directory.resolve("tree");
        String control =
                "Package: redis-server\nVersion: 1:99.0-1\nArchitecture: all\nMaintainer: nobody <n@example.org>\n";
        Files.createDirectories(tree.resolve("DEBIAN"));
        Files.writeString(tree.resolve("DEBIAN/control"), control + "Description: none\n");
        Path program = tree.resolve("usr/bin/redis-server");
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\necho Redis server v=99.0\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path deb = archive.resolve("pool/redis-server.deb");
        Files.createDirectories(deb.getParent());
        call("dpkg-deb", "--build", "--root-owner-group", tree.toString(), deb.toString());
        StringBuilder release = new StringBuilder("Suite: unstable\nCodename: sid\nComponents: main\nSHA256:\n");
        for (String component : new String[] {"main", "universe"}) {
            Path index = archive.resolve("dists/sid/" + component + "/binary-" + call("dpkg", "--print-architecture"));
            Files.createDirectories(index);
            Files.writeString(
                    index.resolve("Packages"),
                    control + "Filename: pool/redis-server.deb\nSize: " + Files.size(deb) + "\nSHA256: " + hash(deb)
                            + "\nDescription: none\n\n");
            Path packages = index.resolve("Packages");
            release.append(' ').append(hash(packages)).append(' ').append(Files.size(packages));
            release.append(' ')
                    .append(archive.resolve("dists/sid").relativize(packages))
                    .append('\n');
        }
        Files.writeString(archive.resolve("dists/sid/Release"), release);
        Files.createSymbolicLink(archive.resolve("dists/devel"), Path.of("sid"));
    }

    private static String hash(Path file) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        return String.format("%064x", new BigInteger(1, hash));
    }

    private static String call(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.onExit().join().exitValue()).as(said).isZero();
        return said.strip();
    }

    @Test
    void archive_withoutSignature_isNotBelieved() throws Exception {
        fill();
        Answer answer = run();
        assertThat(answer.text()).contains("not be believed", "is not signed").doesNotContain("99.0");
        assertThat(unpacked.resolve("redis")).doesNotExist();
        assertThat(answer.status()).as("a failed download is none of a test").isZero();
    }

    @Test
    void archive_whoseSignatureIsOfNobodyKnown_isNotBelieved() throws Exception {
        fill();
        Path release = archive.resolve("dists/sid/Release");
        Files.writeString(
                archive.resolve("dists/sid/InRelease"),
                "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n" + Files.readString(release)
                        + "-----BEGIN PGP SIGNATURE-----\n\niHUEABYIAB0WIQ==\n-----END PGP SIGNATURE-----\n");
        Answer answer = run();
        assertThat(answer.text()).contains("not be believed").doesNotContain("99.0");
        assertThat(unpacked.resolve("redis")).doesNotExist();
        assertThat(answer.status()).isZero();
    }

    @Test
    void tests_whereNothingCouldBeFetched_areNoneOfFour() throws Exception {
        Answer answer = run("test");
        assertThat(answer.text())
                .contains("servers: redis: not run, not fetched")
                .endsWith("servers: 0 of 4 ran\n");
        assertThat(answer.status()).isZero();
    }

    @Test
    void server_thatIsThereAndDoesNotStart_isAFailure() throws Exception {
        Path start = unpacked.resolve("redis/start");
        Files.createDirectories(start.getParent());
        Files.writeString(start, "#!/bin/sh\necho no such library\nexit 127\n");
        assertThat(start.toFile().setExecutable(true)).isTrue();
        Answer answer = run();
        assertThat(answer.text()).contains("servers: redis does not start: no such library");
        assertThat(answer.status()).isNotZero();
    }

    @Test
    void argument_thatNobodyKnows_isAnsweredWithWhatThereIs() throws Exception {
        Answer answer = run("tset");
        assertThat(answer.text()).contains("etc/servers test");
        assertThat(answer.status()).isEqualTo(2);
    }
}
