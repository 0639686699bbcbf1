package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program is found where the script etc/servers puts it. */
class NewerProgramTest {
    private static final NewerProgram PROGRAM = new NewerProgram("nosql");

    @TempDir
    private Path home;

    private Path unpack(String directory) throws IOException {
        Path start = home.resolve(directory).resolve("nosql/start");
        Files.createDirectories(start.getParent());
        Files.writeString(start, "#!/bin/sh\n");
        assertThat(start.toFile().setExecutable(true)).isTrue();
        return start;
    }

    @Test
    void program_isFoundInTheUsersCache_andWhereVariablesSay() throws IOException {
        Path ofHome = unpack(".cache/baton/newer");
        Path ofCache = unpack("cache/baton/newer");
        Path named = unpack("servers");
        String cache = home.resolve("cache").toString();
        assertThat(PROGRAM.path(Map.of("HOME", home.toString()))).isEqualTo(ofHome);
        assertThat(PROGRAM.path(Map.of("HOME", home.toString(), "XDG_CACHE_HOME", cache)))
                .isEqualTo(ofCache);
        assertThat(PROGRAM.path(Map.of(
                        "XDG_CACHE_HOME",
                        cache,
                        "BATON_SERVERS",
                        home.resolve("servers").toString())))
                .isEqualTo(named);
    }

    @Test
    void programThatIsMissing_isAnErrorThatSaysWhatToRun() {
        assertThatThrownBy(() -> PROGRAM.path(Map.of("HOME", home.toString())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("etc/servers")
                .hasMessageContaining("-Dbaton.nosql.server=");
    }
}
