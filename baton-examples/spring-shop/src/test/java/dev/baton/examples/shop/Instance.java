package dev.baton.examples.shop;

import dev.baton.servers.net.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One instance of the shop, in a JVM of its own. It is {@code open} while the load balancer sends it requests. */
final class Instance implements AutoCloseable {
    private final List<String> command = new ArrayList<>();
    private final Path log;
    private final int port = FreePort.next();
    private volatile Process process;
    private volatile boolean open;
    private volatile AtomicBoolean killed = new AtomicBoolean();

    /** Starts it, and does not wait. */
    Instance(String name, Path directory, List<String> properties) throws IOException {
        log = directory.resolve("shop-" + name + ".log");
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ShopApplication.class.getName(),
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                "--shop.instance=" + name));
        command.addAll(properties);
        process = start();
    }

    private Process start() throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    boolean isOpen() {
        return open;
    }

    /** Waits until its health is UP, and lets requests in. */
    void open(HttpClient http) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!isUp(http)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the shop is not healthy:\n" + logged());
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        open = true;
    }

    private boolean isUp(HttpClient http) throws InterruptedException {
        if (!process.isAlive()) {
            throw new IllegalStateException("the shop ended:\n" + logged());
        }
        try {
            return http.send(
                                    HttpRequest.newBuilder(uri("/actuator/health"))
                                            .timeout(Duration.ofSeconds(5))
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** As {@code kill -9}: the balancer notices at once, and requests that it has are lost. */
    void kill() {
        open = false;
        killed.set(true);
        process.destroyForcibly();
    }

    /** Begins to end it, as a deployment does: the balancer sends nothing more, and it answers what it has. */
    void stop() {
        open = false;
        process.destroy();
    }

    void restart() throws IOException, InterruptedException {
        if (!process.waitFor(40, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the shop does not end:\n" + logged());
        }
        killed = new AtomicBoolean();
        process = start();
    }

    /** Whether the process that runs now was killed, also later. */
    AtomicBoolean fate() {
        return killed;
    }

    String logged() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    /** Ends it without ceremony. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
