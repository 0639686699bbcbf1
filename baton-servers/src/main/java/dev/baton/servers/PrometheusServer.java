package dev.baton.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A Prometheus for one test: a process that listens on a free loopback port, asks one program for its meters each second,
 * and evaluates rules as often. Its log is in {@code target/servers}. Closed at the latest when this JVM ends.
 *
 * <p>The program is looked up in this order: the system property {@code baton.prometheus.server}, the {@code PATH}, Debian's
 * package, unpacked into the user's cache (2.42 in Debian 12). {@code promtool} is in the same directory.
 *
 * <p>{@link #get} is thread-safe; the other methods are for one thread at a time.
 */
public final class PrometheusServer extends ProcessServer {
    private static final DistributionPackage PACKAGE =
            new DistributionPackage("prometheus", "prometheus", "usr/bin/prometheus");
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final long PROMTOOL_LIMIT_SECONDS = 60;

    /** The command that starts Prometheus, and the check whether it is up. */
    private final class Prometheus implements ServerLife.Kind {
        private final DistributionPackage.Program program = PACKAGE.get();
        private volatile String configuration = "";

        @Override
        public String name() {
            return "Prometheus";
        }

        @Override
        public List<String> command(Path directory, int port) throws IOException {
            Path file = directory.resolve("prometheus.yml");
            configuration = file.toString();
            Files.writeString(file, """
                    global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
                    rule_files: ["%s"]
                    scrape_configs: [{job_name: test, static_configs: [{targets: ["%s"]}]}]
                    """.formatted(rules.toAbsolutePath(), target));
            return List.of(
                    program.path().toString(),
                    "--config.file=" + file,
                    "--storage.tsdb.path=" + directory.resolve("data"),
                    "--web.listen-address=127.0.0.1:" + port);
        }

        @Override
        public Map<String, String> environment() {
            return program.environment();
        }

        /** Its flags name the file, which is this server's alone. */
        @Override
        public boolean answers(long pid, int port) throws IOException {
            return ask(port, "/-/ready").contains("Ready")
                    && ask(port, "/api/v1/status/flags").contains(configuration);
        }

        @Override
        public String portTaken() {
            return "address already in use";
        }
    }

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();
    private final String target;
    private final Path rules;
    private final ServerLife life = new ServerLife(new Prometheus());

    private PrometheusServer(String target, Path rules) {
        this.target = target;
        this.rules = rules;
    }

    /**
     * Starts a server.
     *
     * @param target host and port of the program that has meters at {@code /metrics}
     * @param rules the file with the rules to evaluate
     */
    public static PrometheusServer start(String target, Path rules) {
        PrometheusServer server = new PrometheusServer(target, rules);
        server.life.startOnFreePort();
        return server;
    }

    @Override
    ServerLife life() {
        return life;
    }

    /** Returns {@code http://127.0.0.1:port}. */
    @Override
    public String uri() {
        return "http://127.0.0.1:" + port();
    }

    /**
     * Asks the server.
     *
     * @param path with its query, as in {@code /api/v1/alerts}
     * @return the answer's text
     * @throws UncheckedIOException if it does not answer, or with an error
     */
    public String get(String path) {
        try {
            return ask(port(), path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs the command {@code promtool}.
     *
     * @param arguments such as {@code check rules FILE}
     * @return its output
     * @throws IllegalStateException if it fails, with its output
     */
    public static String promtool(String... arguments) {
        DistributionPackage.Program program = PACKAGE.get();
        List<String> command = new ArrayList<>(
                List.of(program.path().resolveSibling("promtool").toString()));
        command.addAll(List.of(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(program.environment());
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.onExit().orTimeout(PROMTOOL_LIMIT_SECONDS, TimeUnit.SECONDS).join();
            if (process.exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed:\n" + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String ask(int port, String path) throws IOException {
        try {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .timeout(ANSWER_LIMIT)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != OK) {
                throw new IOException(path + " is answered with " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }
}
