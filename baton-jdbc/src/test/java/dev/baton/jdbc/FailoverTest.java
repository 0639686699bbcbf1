package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.servers.LocalServer;
import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A failover to a replica that has not received the last commits. */
@Tag("serial")
class FailoverTest {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final BatonOptions OPTIONS = BatonOptions.builder()
            .grace(GRACE)
            .leaseTime(Duration.ofSeconds(9))
            .storeTimeout(Duration.ofSeconds(30))
            .build();

    static Stream<Supplier<ReplicatedDatabase>> databases() {
        return Stream.of(ReplicatedPostgres::new, ReplicatedMaria::new);
    }

    /** Tries once; a grace period is no refusal. */
    private static Optional<Lease> tried(Baton baton, String name) throws InterruptedException {
        try {
            return baton.lock(name).tryAcquire(Duration.ofMillis(300));
        } catch (StoreException unknown) {
            return Optional.empty();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("P6: failover_thatLosesTheGrant_leavesTheLockToItsHolder")
    void failover_thatLosesTheGrant_leavesTheLockToItsHolder(Supplier<ReplicatedDatabase> start) throws Exception {
        try (ReplicatedDatabase database = start.get();
                Baton holder = Baton.connect(database.uri(), OPTIONS);
                Baton other = Baton.connect(database.uri(), OPTIONS)) {
            other.lock("lost").acquire().release();
            database.stopReplication();
            Lease lost = holder.lock("lost").acquire();
            Lease unknown = holder.lock("unknown to the replica").acquire();
            Deadline grace = Deadline.in(GRACE.toNanos());
            database.failOver();
            Deadline end = Deadline.in(GRACE.multipliedBy(2).toNanos());
            while (end.leftNanos() > 0) {
                assertThat(tried(other, "lost")).isEmpty();
                assertThat(tried(other, "unknown to the replica")).isEmpty();
                Optional<Lease> taken = tried(other, "free");
                if (taken.isPresent()) {
                    // The period begins with the first command on the new primary, later than ours.
                    assertThat(grace.leftNanos()).isLessThanOrEqualTo(0);
                    taken.get().release();
                }
                assertThat(lost.isHeld()).isTrue();
                assertThat(unknown.isHeld()).isTrue();
            }
            assertThat(other.lock("free").tryAcquire(Duration.ofSeconds(20))).isPresent();
            long token = lost.token();
            assertThat(lost.release()).isEqualTo(ReleaseOutcome.RELEASED);
            Lease next = other.lock("lost").acquire();
            assertThat(next.token()).isGreaterThan(token);
        }
    }

    /** The first commits of a namespace were lost, and the client that comes next has never heard of it. */
    @Test
    void failover_thatLosesAWholeNamespace_leavesTheLockToItsHolder() throws Exception {
        try (ReplicatedDatabase database = new ReplicatedPostgres()) {
            database.stopReplication();
            try (Baton holder = Baton.connect(database.uri(), OPTIONS)) {
                Lease held = holder.lock("lost").acquire();
                database.failOver();
                try (Baton other = Baton.connect(database.uri(), OPTIONS)) {
                    Deadline end = Deadline.in(GRACE.multipliedBy(2).toNanos());
                    while (end.leftNanos() > 0) {
                        assertThat(tried(other, "lost")).isEmpty();
                        assertThat(held.isHeld()).isTrue();
                    }
                    assertThat(other.lock("free").tryAcquire(Duration.ofSeconds(20)))
                            .isPresent();
                }
            }
        }
    }

    static Stream<Supplier<LocalServer>> servers() {
        return Stream.of(PostgresServer::start, MariaServer::start);
    }

    /** Commits survive the death of these servers, so a restart must not stop anyone for G. */
    @ParameterizedTest
    @MethodSource("servers")
    void restart_ofTheSameServer_beginsNoGracePeriod(Supplier<LocalServer> start) throws Exception {
        // A restart and a stall of this machine take less time than this G, and than the lease.
        BatonOptions patient = OPTIONS.toBuilder()
                .grace(Duration.ofSeconds(40))
                .leaseTime(Duration.ofSeconds(30))
                .build();
        try (LocalServer server = start.get();
                Baton baton = Baton.connect(server.uri(), patient)) {
            Lease held = baton.lock("held").acquire();
            server.kill();
            server.restart();
            Optional<Lease> next = baton.lock("next").tryAcquire(Duration.ofSeconds(20));
            assertThat(next).isPresent();
            assertThat(held.isHeld()).isTrue();
        }
    }
}
