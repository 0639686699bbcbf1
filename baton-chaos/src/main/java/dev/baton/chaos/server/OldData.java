package dev.baton.chaos.server;

import dev.baton.servers.LocalServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A copy of a server's data. It was taken while the server was stopped, so it is what the server would have found if it
 * had died then.
 */
final class OldData {
    private final Path data;
    private final Path copy;

    private OldData(Path data) {
        this.data = data;
        this.copy = beside(data, ".old");
    }

    private static Path beside(Path data, String suffix) {
        return data.resolveSibling(data.getFileName() + suffix);
    }

    /** Copies the data of a server that runs. */
    static OldData of(LocalServer server) throws IOException {
        OldData old = new OldData(server.data());
        server.pause();
        try {
            run("cp", "-a", old.data.toString(), old.copy.toString());
        } finally {
            server.resume();
        }
        return old;
    }

    /** Puts the copy in the place of the data. The server must not run. */
    void putBack() throws IOException {
        Path newer = beside(data, ".newer");
        Files.move(data, newer);
        Files.move(copy, data);
        run("rm", "-r", newer.toString());
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
    }
}
