package dev.baton.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The program {@code redis-server}. The system property {@code baton.redis.server} names it. Without that
 * property, it is the one for this platform from the jar {@code embedded-redis}, unpacked at the first use.
 *
 * @param path where it is
 * @param major its major version
 */
record RedisProgram(Path path, int major, Map<String, String> environment) {
    private static final String PROPERTY = "baton.redis.server";
    private static final DistributionPackage PACKAGE =
            new DistributionPackage("redis-server", "redis-server redis-tools", "usr/bin/redis-server");
    /** The major version of the program in the jar. */
    static final int UNPACKED_MAJOR = 7;

    private static final String RESOURCE = "redis-server-7.0.15-";
    private static final Pattern VERSION = Pattern.compile("v=(\\d+)");

    /** The one program of this JVM. */
    private static final class Found {
        private static final RedisProgram PROGRAM = find();
    }

    static RedisProgram get() {
        return Found.PROGRAM;
    }

    private static RedisProgram find() {
        try {
            @Nullable String named = System.getProperty(PROPERTY);
            return named == null
                    ? new RedisProgram(unpack(), UNPACKED_MAJOR, Map.of())
                    : asked(Path.of(named), Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Finds the program that the property names, or else the system's. Unlike the one on the class path, it is linked
     * with the system's C library.
     *
     * @throws IllegalStateException if there is none, with the command that installs it
     */
    static RedisProgram ofSystem() {
        if (System.getProperty(PROPERTY) != null) {
            return get();
        }
        DistributionPackage.Program program = PACKAGE.get();
        try {
            return asked(program.path(), program.environment());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RedisProgram asked(Path path, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(path.toString(), "--version").redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher version = VERSION.matcher(answer);
        if (!version.find()) {
            throw new IOException(path + " is no Redis; its --version is: " + answer);
        }
        return new RedisProgram(path, Integer.parseInt(version.group(1)), environment);
    }

    private static Path unpack() throws IOException {
        String resource = RESOURCE + platform();
        try (@Nullable InputStream packed = RedisProgram.class.getClassLoader().getResourceAsStream(resource)) {
            if (packed == null) {
                throw new IOException("no " + resource + " on the class path: add org.signal:embedded-redis, or name a"
                        + " program of your own by -D" + PROPERTY);
            }
            Path path = Files.createTempFile("redis-server-", "");
            path.toFile().deleteOnExit();
            Files.write(path, packed.readAllBytes());
            if (!path.toFile().setExecutable(true)) {
                throw new IOException("cannot make " + path + " executable");
            }
            return path;
        }
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
        String machine = System.getProperty("os.arch");
        return system + "-"
                + switch (machine) {
                    case "aarch64" -> "arm64";
                    case "x86", "i386" -> "386";
                    default -> "amd64";
                };
    }
}
