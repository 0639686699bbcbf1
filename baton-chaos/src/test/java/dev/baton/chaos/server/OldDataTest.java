package dev.baton.chaos.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.LocalServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server gets the data back that it had when it was stopped for the copy. */
class OldDataTest {
    @TempDir
    private Path directory;

    /** A server that writes whenever it is told to go on, as one that works all the time would. */
    private record Writer(Path data, List<String> calls) implements LocalServer {
        void write(String words) {
            try {
                Files.createDirectories(data.resolve("log"));
                Files.writeString(data.resolve("log/last"), words);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String uri() {
            return "";
        }

        @Override
        public int port() {
            return 0;
        }

        @Override
        public void pause() {
            calls.add("pause");
        }

        @Override
        public void resume() {
            calls.add("resume");
            write("newer");
        }

        @Override
        public void kill() {
            calls.add("kill");
        }

        @Override
        public void restart() {
            calls.add("restart");
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    @Test
    void copy_isOfTheMomentWhenTheServerStood_andTakesThePlaceOfNewerData() throws IOException {
        Writer server = new Writer(directory.resolve("data"), new ArrayList<>());
        server.write("older");
        OldData copy = OldData.of(server);
        assertThat(server.calls()).containsExactly("pause", "resume");
        assertThat(server.data().resolve("log/last")).hasContent("newer");
        Files.writeString(server.data().resolve("later"), "");

        copy.putBack();

        assertThat(server.data().resolve("log/last")).hasContent("older");
        assertThat(directory).isDirectoryNotContaining(file -> !file.equals(server.data()));
        assertThat(server.data().resolve("later")).doesNotExist();
    }
}
