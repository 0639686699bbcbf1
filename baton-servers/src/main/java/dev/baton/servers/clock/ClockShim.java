package dev.baton.servers.clock;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A library that is compiled here and loaded before the C library of a process, whose wall clock can be set from then on.
 * It reaches programs that are linked with the system's C library dynamically. Immutable.
 */
public final class ClockShim {
    /** The usual name of the system's C compiler. */
    public static final String COMPILER = "cc";

    private static final String SOURCE = "clock.c";
    private static final long COMPILE_LIMIT_SECONDS = 60;

    private final Path library;

    private ClockShim(Path library) {
        this.library = library;
    }

    /**
     * Compiles the library.
     *
     * @param directory where it goes
     * @param compiler the C compiler, such as {@link #COMPILER}
     * @throws IOException if this machine cannot compile or preload it; its message says why
     */
    public static ClockShim compile(Path directory, String compiler) throws IOException {
        String system = System.getProperty("os.name");
        if (!system.toLowerCase(Locale.ROOT).startsWith("linux")) {
            throw new IOException("a library can be preloaded on Linux only, and this is " + system);
        }
        Path library = Files.createDirectories(directory).resolve("clock.so").toAbsolutePath();
        Path source = directory.resolve(SOURCE).toAbsolutePath();
        try (InputStream text = ClockShim.class.getResourceAsStream(SOURCE)) {
            if (text == null) {
                throw new IOException("no " + SOURCE + " on the class path");
            }
            Files.write(source, text.readAllBytes());
        }
        run(List.of(compiler, "-shared", "-fPIC", "-O2", "-o", library.toString(), source.toString(), "-ldl"));
        return new ClockShim(library);
    }

    private static void run(List<String> command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException none) {
            throw new IOException(
                    "no C compiler: " + command.get(0) + " does not start (Debian: apt-get install gcc libc6-dev)",
                    none);
        }
        process.getOutputStream().close();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        process.onExit().orTimeout(COMPILE_LIMIT_SECONDS, TimeUnit.SECONDS).join();
        if (process.exitValue() != 0) {
            throw new IOException("the C compiler " + command.get(0) + " refused it: " + words);
        }
    }

    /**
     * Creates a clock that shows the machine's time until it is set.
     *
     * @param file where it is; must not exist
     */
    public SettableClock clock(Path file) throws IOException {
        Path path = file.toAbsolutePath();
        return new SettableClock(path, Map.of("LD_PRELOAD", library.toString(), "BATON_CLOCK", path.toString()));
    }
}
