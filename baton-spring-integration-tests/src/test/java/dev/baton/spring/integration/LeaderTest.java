package dev.baton.spring.integration;

import static dev.baton.spring.integration.Nodes.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration's leader election by a lock, on two stores. */
@Timeout(60)
class LeaderTest {
    private static final String ROLE = "shard-1";

    /** A node that wants to lead. */
    private static final class Candidate extends DefaultCandidate implements AutoCloseable {
        private final List<String> told = new CopyOnWriteArrayList<>();
        private final LockRegistryLeaderInitiator initiator;

        Candidate(BatonLockRegistry registry, Duration heartBeat) {
            super("candidate", ROLE);
            initiator = new LockRegistryLeaderInitiator(registry, this);
            initiator.setApplicationEventPublisher(event -> {});
            initiator.setHeartBeatMillis(heartBeat.toMillis());
            initiator.setBusyWaitMillis(20);
            initiator.start();
        }

        @Override
        public void onGranted(Context context) {
            told.add("granted");
        }

        @Override
        public void onRevoked(Context context) {
            told.add("revoked");
        }

        boolean leads() {
            return initiator.getContext().isLeader();
        }

        /** Waits until it leads, and has been told: it leads first. */
        void awaitLeading() throws InterruptedException {
            until("it leads", () -> leads() && told.contains("granted"));
        }

        /** Waits until its first term has ended. */
        void awaitRevoked() throws InterruptedException {
            until("it is told", () -> told.size() == 2);
            assertThat(told).containsExactly("granted", "revoked");
        }

        void stop() {
            initiator.stop();
        }

        @Override
        public void close() {
            stop();
        }
    }

    /** A leader hears of a loss within a third of it. A machine that stands still for seconds must not end it. */
    private static final Duration SHORT = Duration.ofSeconds(6);

    private static final Duration OFTEN = Duration.ofMillis(50);

    /** Longer than another one takes to connect and to lead, also on a busy machine. */
    private static final Duration SELDOM = Duration.ofSeconds(8);

    @ParameterizedTest
    @EnumSource
    void oneCandidateLeads_andTheOther_afterItsStop(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes();
                Candidate first = new Candidate(nodes.registry(), OFTEN)) {
            first.awaitLeading();
            try (Candidate second = new Candidate(nodes.registry(), OFTEN)) {
                Thread.sleep(500); // ten heartbeats of each
                assertThat(second.told).isEmpty();
                assertThat(first.told).containsExactly("granted");
                first.stop();
                second.awaitLeading();
                first.awaitRevoked();
                assertThat(second.told).containsExactly("granted");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void leaderThatYields_isRevoked_andSomeCandidateLeads(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes();
                Candidate first = new Candidate(nodes.registry(), OFTEN)) {
            first.awaitLeading();
            try (Candidate second = new Candidate(nodes.registry(), Duration.ofSeconds(5))) {
                awaitWaiter(nodes.client());
                first.initiator.getContext().yield();
                second.awaitLeading(); // it was in the queue
                first.awaitRevoked();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void leaderWhoseLockIsTaken_isRevoked_andAnotherLeads(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes();
                Candidate first = new Candidate(new BatonLockRegistry(nodes.client(SHORT)), OFTEN)) {
            first.awaitLeading();
            try (Candidate second = new Candidate(nodes.registry(), Duration.ofSeconds(5))) {
                takeFromLeader(nodes.client());
                second.awaitLeading();
                first.awaitRevoked();
                Thread.sleep(300); // it stands again, and does not lead beside the other
                assertThat(first.told).hasSize(2);
                second.stop();
                first.awaitLeading();
            }
        }
    }

    /** The gap of an election by polling: the former leader believes until its next heartbeat. */
    @ParameterizedTest
    @EnumSource
    void leaderThatLooksSeldom_believesOn_besideTheNext_untilItLooks(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes();
                Candidate first = new Candidate(new BatonLockRegistry(nodes.client(SHORT)), SELDOM)) {
            first.awaitLeading();
            try (Candidate second = new Candidate(nodes.registry(), Duration.ofSeconds(5))) {
                takeFromLeader(nodes.client());
                second.awaitLeading();
                assertThat(first.leads()).as("both believe").isTrue();
                first.awaitRevoked();
            }
        }
    }

    /** Its heartbeat is an hour: only the interrupt wakes it. */
    @ParameterizedTest
    @EnumSource
    void leaderThatIsInterruptedAtALoss_isRevokedBeforeItsHeartbeat(Nodes.Kind store) throws Exception {
        try (Nodes nodes = store.nodes()) {
            BatonLockRegistry registry = new BatonLockRegistry(nodes.client(SHORT))
                    .with(LockOptions.defaults().withInterruptOnLoss(true));
            try (Candidate first = new Candidate(registry, Duration.ofHours(1))) {
                first.awaitLeading();
                try (Candidate second = new Candidate(nodes.registry(), Duration.ofSeconds(5))) {
                    takeFromLeader(nodes.client());
                    first.awaitRevoked();
                    second.awaitLeading();
                    second.stop();
                    first.awaitLeading(); // the initiator has begun again
                }
            }
        }
    }

    private static void takeFromLeader(Baton admin) throws InterruptedException {
        awaitWaiter(admin);
        assertThat(admin.admin().forceReleaseNow(ROLE)).isPresent();
    }

    private static void awaitWaiter(Baton client) throws InterruptedException {
        until("a candidate waits", () -> client.lock(ROLE)
                .inspect()
                .filter(info -> !info.waiters().isEmpty())
                .isPresent());
    }
}
