package dev.baton.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.client.ClientTeam;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.lock.NameSet;
import dev.baton.servers.RedisServer;
import dev.baton.servers.clock.ClockShim;
import dev.baton.servers.clock.SettableClock;
import dev.baton.servers.net.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault has an effect on a client that works, and the client works again after it. */
@Tag("serial")
@Timeout(300)
class FaultEffectsTest {
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration RECOVERY = Duration.ofSeconds(60);
    private static final int NAMES = 2;
    private static final int TRIES = 20;

    /** One alone would pass locks on between its callers, and hardly talk to the server. */
    private static final int CLIENTS = 2;

    @TempDir
    private static Path directory;

    private static RedisServer redis;
    private static SettableClock clock;
    private static Witness witness;
    private static ClientTeam team;

    @BeforeAll
    static void start() throws Exception {
        redis = RedisServer.start();
        witness = Witness.in(directory, NAMES);
        clock = ClockShim.compile(directory, ClockShim.COMPILER).clock(directory.resolve("clock"));
        team = new ClientTeam(
                new ClientSettings(
                        ClientSettings.BATON,
                        redis.uri(),
                        directory,
                        0,
                        4,
                        NameSet.locks(NAMES),
                        LEASE,
                        2,
                        1,
                        0,
                        ClientSettings.GRACE),
                CLIENTS,
                () -> TcpProxy.to("127.0.0.1", redis.port()),
                (host, port) -> "redis://" + host + ":" + port,
                place -> clock);
        team.start();
    }

    @AfterAll
    static void stop() {
        team.close();
        redis.close();
    }

    static Iterable<Fault> faults() {
        return Faults.common(true);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void fault_hasAnEffect_andIsUndone(Fault fault) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        long effects = 0;
        // A short one may hit a client that is idle, or that a busy machine does not let run.
        for (int i = 0; i < TRIES && effects == 0; i++) {
            awaitHolds(1);
            effects = fault.happen(new Stage(team, LEASE, witness), random).effects();
        }

        assertThat(effects).isPositive();
        assertThat(clock.ahead()).isZero();
        awaitHolds(10);
    }

    private static void awaitHolds(int more) throws InterruptedException {
        long before = witness.holds();
        long began = HostTime.nanos();
        while (witness.holds() < before + more && HostTime.since(began).compareTo(RECOVERY) < 0) {
            HostTime.sleep(Duration.ofMillis(10));
        }
        assertThat(witness.holds()).isGreaterThanOrEqualTo(before + more);
    }
}
