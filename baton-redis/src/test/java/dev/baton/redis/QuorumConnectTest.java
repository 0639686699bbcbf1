package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.RedisServer;
import dev.baton.servers.net.FreePort;
import dev.baton.servers.net.TcpProxy;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How clients find the members of a quorum, and what they say of it. */
@Tag("serial")
class QuorumConnectTest {
    private final Clients clients = new Clients();
    private List<RedisServer> members;

    @BeforeEach
    void start() {
        members = Stream.generate(RedisServer::start).limit(3).toList();
    }

    @AfterEach
    void stop() {
        clients.close();
        members.forEach(RedisServer::close);
    }

    private Baton connect() {
        return connect(RedisFixture.quorumUri(members));
    }

    private Baton connect(String uri) {
        return clients.connect(uri, options().build());
    }

    private String target(int member) {
        return "127.0.0.1:" + members.get(member).port();
    }

    @Test
    void newQuorum_beginsWithoutAGracePeriod_forAllThatConnectAtOnce() throws Exception {
        for (int round = 0; round < 5; round++) {
            String namespace = "new" + round;
            Work<Baton> one = Mode.SYNC.start(() -> newClient(namespace));
            Work<Baton> two = Mode.SYNC.start(() -> newClient(namespace));
            Baton first = one.get();
            Baton second = two.get();
            for (int i = 0; i < 8; i++) {
                assertThat(first.lock("a" + i).tryAcquire()).isPresent();
                assertThat(second.lock("b" + i).tryAcquire()).isPresent();
            }
        }
    }

    private Baton newClient(String namespace) {
        return clients.connect(
                RedisFixture.quorumUri(members), options().namespace(namespace).build());
    }

    @Test
    void memberThatIsMissing_isWarnedOf_andJoinsWhenItCanBeReached() throws Exception {
        connect().lock("x").acquire().close();
        members.get(2).kill();
        Baton client = connect();
        assertThat(client.admin().examine().warnings())
                .anyMatch(warning -> warning.startsWith("the member " + target(2) + " of the quorum was not reached (")
                        && warning.endsWith("locks go on as long as 2 of 3 members answer"));
        assertThat(client.admin().examine().facts().get("members that do not answer"))
                .startsWith(target(2) + " (cannot connect to Redis");
        client.lock("x").acquire().close();
        members.get(2).restart();
        until("it has joined", () -> Clients.connections(members.get(2)) >= 2 * 2);
        members.get(0).kill();
        client.lock("x").acquire().close();
    }

    @Test
    void majorityThatIsMissing_isRefused_andNamesTheMissing() {
        members.get(1).kill();
        members.get(2).kill();
        assertThatThrownBy(this::connect)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "1 of the 3 members of the quorum answered, and 2 must; not reached: " + target(1))
                .hasMessageContaining(target(2));
    }

    @Test
    void serverThatIsNamedTwice_isRefused() {
        String twice =
                "redis+quorum://" + target(0) + ",localhost:" + members.get(0).port() + ',' + target(1);
        assertThatThrownBy(() -> connect(twice))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("are the same server, which would have two votes in the quorum");
    }

    @Test
    void serverThatIsNoPrimary_isRefused_alsoIfAMajorityIsFit() {
        try (RedisServer replica =
                RedisServer.builder().replicaOf(members.get(0)).start()) {
            String mixed = "redis+quorum://" + target(0) + ',' + target(1) + ",127.0.0.1:" + replica.port();
            assertThatThrownBy(() -> connect(mixed))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is a replica");
        }
    }

    /** Has one member forget the namespace, and ends another: of the two that are left, both must grant. */
    private void forgetAtOneOfTwo() throws Exception {
        connect().lock("x").acquire().close();
        clients.close();
        members.get(2).kill();
        members.get(1).command("FLUSHALL");
    }

    @Test
    void memberWithoutTheNamespace_waitsForAGracePeriod_asItMayHaveForgotten() throws Exception {
        forgetAtOneOfTwo();
        Baton client = connect();
        assertThatThrownBy(() -> client.lock("x").tryAcquire())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the store may have forgotten holds");
        try (Lease lease = client.lock("x").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void memberInAGracePeriod_thatAnswersBeforeTheOthers_doesNotAnswerForThem() throws Exception {
        forgetAtOneOfTwo();
        try (TcpProxy slow = TcpProxy.to(members.get(0).host(), members.get(0).port())) {
            Baton client = connect("redis+quorum://127.0.0.1:" + slow.port() + ',' + target(1) + ',' + target(2));
            slow.delay(Duration.ofMillis(100));
            assertThatThrownBy(() -> client.lock("x").tryAcquire())
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the store may have forgotten holds");
        }
    }

    @Test
    void newQuorum_waits_ifGraceIsStrict() throws Exception {
        Baton client = connect(RedisFixture.quorumUri(members) + "?grace=strict");
        assertThatThrownBy(() -> client.lock("x").tryAcquire())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the store may have forgotten holds");
        client.lock("x").acquire().close();
        // The buckets' grace periods began one after another, and an examination takes names of others.
        until("no bucket waits", () -> client.admin().gracePeriod().isEmpty());
        assertThat(client.admin().examine().facts().get("what can still go wrong"))
                .endsWith("use its tokens");
    }

    @Test
    void facts_nameTheMembers_andSayOnceWhatIsTheSame() {
        Map<String, String> facts = connect().admin().examine().facts();
        assertThat(facts)
                .containsKeys("version", "persistence")
                .containsEntry("address", "a quorum of 3: " + target(0) + ", " + target(1) + ", " + target(2))
                .containsEntry("members that do not answer", "none");
        assertThat(facts.get("what can still go wrong"))
                .startsWith("if the clocks of 2 of 3 members jump forward")
                .endsWith("set grace=strict in the address of all clients");
        assertThat(facts.keySet()).noneMatch(fact -> fact.contains(" at "));
    }

    @Test
    void addressThatNamesNobody_failsWithTheReason() {
        String nobody = "redis+quorum://127.0.0.1:" + FreePort.next() + ",127.0.0.1:" + FreePort.next() + ",127.0.0.1:"
                + FreePort.next();
        assertThatThrownBy(() -> connect(nobody))
                .hasMessageContaining("0 of the 3 members of the quorum answered")
                .hasMessageContaining("is it running there");
    }
}
