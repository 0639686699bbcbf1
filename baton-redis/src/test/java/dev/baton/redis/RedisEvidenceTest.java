package dev.baton.redis;

import static dev.baton.redis.Clients.MARGIN;
import static dev.baton.redis.Clients.PATIENCE;
import static dev.baton.redis.Clients.patient;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.throughout;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.servers.RedisServer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server does that begins a grace period, and what it does that looks similar and begins none. */
@Tag("serial")
@Timeout(120)
class RedisEvidenceTest {
    private static final String NAME = "kept";
    private static final Duration GRACE = Clients.PATIENT_GRACE;

    private final Clients clients = new Clients();
    private final List<BatonEvent> told = new CopyOnWriteArrayList<>();
    private RedisServer server;
    private Lease held;
    private Baton other;

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    private void hold(RedisServer started) throws Exception {
        server = started;
        held = clients.connectPatiently(server).lock(NAME).acquire();
        other = clients.connect(server.uri(), patient().listener(told::add).build());
        assertThat(other.lock(NAME).tryAcquire()).isEmpty();
    }

    /** Restarts the server. No grace period can have begun before. */
    private void restart(String event) throws Exception {
        long before = System.nanoTime();
        server.restart();
        assertGraceBegins(event, before);
    }

    private void assertGraceBegins(String event, long before) throws Exception {
        long start = System.nanoTime();
        throughout(GRACE.dividedBy(2), "held by one", held::isHeld);
        Lease fresh = other.lock("another").tryAcquire(PATIENCE).orElseThrow();
        Duration waited = since(start);
        System.out.println(event + ": another lock is granted after " + waited);
        assertThat(since(before)).isGreaterThan(GRACE);
        // Less than two grace periods.
        assertThat(waited).isLessThan(GRACE.plus(MARGIN));
        assertThat(fresh.token()).isGreaterThan(held.token());
        assertThat(other.lock(NAME).tryAcquire()).isEmpty();
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(told).extracting(BatonEvent::type).contains(BatonEvent.Type.GRACE_BEGAN);
    }

    @Test
    void restart_thatSavedEverythingBefore_beginsAGracePeriod() throws Exception {
        hold(RedisServer.start());
        server.command("CONFIG", "SET", "save", "3600 1");
        server.stop();
        restart("saved and restarted");
    }

    /** The server comes back with all data but the last writes, of which one was the grant. */
    @Test
    void restart_withALogThatLacksTheEnd_beginsAGracePeriod() throws Exception {
        server = RedisServer.builder().appendOnly().start();
        clients.connectPatiently(server).lock("earlier").acquire();
        Path log = log();
        long size = Files.size(log);
        hold(server);
        server.kill();
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
            file.truncate(size);
        }
        restart("restarted with a log that lacks the end");
    }

    private Path log() throws IOException {
        try (Stream<Path> files = Files.list(server.data().resolve("appendonlydir"))) {
            return files.filter(file -> file.toString().endsWith(".incr.aof"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Waits until every bucket looks for evidence again. */
    private void assertNoGraceBegins() throws Exception {
        throughout(Duration.ofMillis(1_200), "held by one", held::isHeld);
        assertThat(other.lock(NAME).tryAcquire()).isEmpty();
        assertThat(other.lock("another").tryAcquire()).isPresent();
        assertThat(told).extracting(BatonEvent::type).doesNotContain(BatonEvent.Type.GRACE_BEGAN);
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void firstReplica_beginsNoGracePeriod() throws Exception {
        hold(RedisServer.start());
        try (RedisServer replica = RedisServer.builder().replicaOf(server).start()) {
            assertThat(replica.info("replication")).containsEntry("role", "slave");
            assertNoGraceBegins();
        }
    }

    /** The server takes another replication id then, as if it had been promoted. */
    @Test
    void backlogThatIsFreed_beginsNoGracePeriod() throws Exception {
        hold(RedisServer.start());
        String before = replicationId();
        server.command("CONFIG", "SET", "repl-backlog-ttl", "1");
        RedisServer.builder().replicaOf(server).start().close();
        until("freed", () -> !replicationId().equals(before));
        assertNoGraceBegins();
    }

    private String replicationId() {
        return server.info("replication").get("master_replid");
    }
}
