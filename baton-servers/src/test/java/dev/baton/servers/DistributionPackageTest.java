package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DistributionPackageTest {
    private static final DistributionPackage MEMCACHED =
            new DistributionPackage("memcached", "memcached", "usr/bin/memcached");

    @TempDir
    Path directory;

    @Test
    void onThePath_isTaken() throws IOException {
        Path program = Files.writeString(directory.resolve("memcached"), "#!/bin/sh\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        DistributionPackage.Program found = MEMCACHED.get(Map.of("PATH", "/nowhere:" + directory));
        assertThat(found.path()).isEqualTo(program);
        assertThat(found.environment()).isEmpty();
    }

    @Test
    void thatCannotBeHad_saysWhatMendsIt() throws IOException {
        // A system without apt-get.
        Map<String, String> bare = Map.of("PATH", "/nowhere", "XDG_CACHE_HOME", directory.toString());
        assertThatThrownBy(() -> MEMCACHED.get(bare))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no memcached on the PATH")
                .hasMessageContaining("no apt-get here")
                .hasMessageContaining("sudo apt-get install memcached")
                .hasMessageContaining("-Dbaton.memcached.server=");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).as("what is left in the cache").isEmpty();
        }
    }

    @Test
    void named_isTaken() {
        DistributionPackage named = new DistributionPackage("baton-named", "baton-named", "usr/bin/none");
        System.setProperty("baton.baton-named.server", "/opt/named");
        try {
            assertThat(named.get().path()).isEqualTo(Path.of("/opt/named"));
        } finally {
            System.clearProperty("baton.baton-named.server");
        }
    }
}
