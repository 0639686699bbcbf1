package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.RedisSentinels;
import dev.baton.servers.RedisServer;
import dev.baton.spi.StoreFailure;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code baton check} says of primaries with replicas: for each setup the one thing that remains. */
@Timeout(60)
class FailoverRisksTest {
    private static final String REMAINS = "what can still go wrong";
    private static final String FEWEST = "fewest replicas";

    private static FailoverRisks risks(String options, int attached, int named, String info, String settings) {
        StringBuilder text = new StringBuilder("role:master\r\n");
        for (int i = 0; i < attached; i++) {
            text.append("slave").append(i).append(":ip=10.0.0.").append(i).append(",port=6379,state=online,lag=1\r\n");
        }
        Server server = Server.of(text + info, "the server");
        Map<String, String> config = settings.isEmpty()
                ? Map.of()
                : Map.of(
                        "min-replicas-to-write",
                        settings.split("/")[0],
                        "min-replicas-max-lag",
                        settings.split("/")[1]);
        OptionalInt bySentinels = named < 0 ? OptionalInt.empty() : OptionalInt.of(named);
        return FailoverRisks.of(server, config, bySentinels, RedisAddress.of(URI.create("redis://host/0" + options)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                      | 0 | -1 | 0/10 | if the server loses all data | set grace=strict",
                "?grace=strict           | 0 | -1 | 0/10 | nothing that Baton knows of  | clock is not set forward",
                "?grace=off              | 0 | -1 | 0/10 | after a failover or a restart | remove grace=off",
                "?grace=off&replicated=1 | 2 |  2 | 1/10 | after a failover or a restart | remove grace=off",
                "''                      | 2 | -1 | 0/10 | if the old primary lives on, it grants | set min-replicas-to-write 1",
                "''                      | 0 |  2 | 0/10 | if the old primary lives on, it grants | set min-replicas-to-write 1",
                "''                      | 2 |  2 | 1/0  | if the old primary lives on, it grants | set min-replicas-to-write 1",
                "''                      | 2 |  2 | 1/10 | is cut off from its replicas and lives on | for 10 s: set replicated=1",
                "?replicated=2           | 1 |  1 | 1/10 | no lock can be acquired | and 1 replica follows",
                "?replicated=1           | 4 |  4 | 1/10 | keeps 1 of its replicas | set replicated=2",
                "?replicated=1           | 3 | -1 | 1/10 | keeps 1 of its replicas | set replicated=2",
                "?replicated=1           | 2 |  2 | 0/10 | clients without replicated= | set min-replicas-to-write 1",
                "?replicated=1           | 2 |  2 | 1/10 | nothing that Baton knows of | no replica follows the old primary",
                "?replicated=2           | 4 |  4 | 1/10 | nothing that Baton knows of | no replica follows the old primary"
            })
    void setup_endsInOneSentence(String options, int attached, int named, String settings, String what, String remedy) {
        assertThat(risks(options, attached, named, "", settings).whatRemains()).contains(what, remedy);
    }

    @Test
    void settingsThatMayNotBeRead_areTakenFromInfo_andSaid() {
        FailoverRisks unset = risks("", 2, 2, "", "");
        assertThat(unset.fewestReplicas("")).contains("min-replicas-to-write 0");
        assertThat(unset.whatRemains()).contains("set min-replicas-to-write 1");
        FailoverRisks set = risks("", 2, 2, "min_slaves_good_slaves:2\r\n", "");
        assertThat(set.fewestReplicas("is not for this user to read: +config|get"))
                .contains("is set (how is not for this user to read: +config|get)");
        assertThat(set.whatRemains()).contains("for min-replicas-max-lag: set replicated=1");
    }

    @Test
    void replicas_thatSentinelsCountOtherwise_areSaid() {
        List<Server.Replica> none = List.of();
        assertThat(risks("", 1, 2, "", "").replicas(none))
                .contains("sentinels know 2: see why the others do not follow");
        assertThat(risks("", 2, 1, "", "").replicas(none)).contains("sentinels know 1: they have not found all");
        assertThat(risks("", 2, 2, "", "").replicas(none)).doesNotContain("sentinels");
    }

    @Test
    void primaryWithReplicas_isWarnedOfAnOldPrimary_unlessItRefusesWithoutThem() {
        String following = "slave0:ip=10.0.0.1,port=6379,state=online,lag=1\r\n";
        assertThat(Server.of(following, "here").warnings()).anyMatch(each -> each.contains("min-replicas-to-write 0"));
        assertThat(Server.of(following + "min_slaves_good_slaves:1\r\n", "here").warnings())
                .isEmpty();
        assertThat(Server.of("slave0:ip=10.0.0.1,port=6379,state=wait_bgsave,lag=1\r\n", "here")
                        .warnings())
                .isEmpty();
    }

    @Test
    void realServers_sayIt() throws Exception {
        try (RedisSentinels set = RedisSentinels.start();
                PlainStore store = new PlainStore(set.uri())) {
            Map<String, String> facts = store.store().facts(PlainStore.TIMEOUT_NANOS);
            assertThat(facts.get("replicas")).startsWith("2 follow: 127.0.0.1:").doesNotContain("sentinels know");
            assertThat(facts.get(FEWEST)).contains("min-replicas-to-write 0");
            assertThat(facts.keySet())
                    .filteredOn(key -> key.startsWith("persistence of 127.0.0.1:"))
                    .hasSize(2);
            assertThat(facts.get(REMAINS)).contains("set min-replicas-to-write 1");
            assertThat(facts.keySet()).last().isEqualTo(REMAINS);
            for (RedisServer member : set.members()) {
                member.command("CONFIG", "SET", "min-replicas-to-write", "1");
            }
            facts = store.store().facts(PlainStore.TIMEOUT_NANOS);
            assertThat(facts.get(FEWEST)).isEqualTo("min-replicas-to-write 1, min-replicas-max-lag 10 s");
            assertThat(facts.get(REMAINS)).contains("set replicated=1");
        }
    }

    @Test
    void replicaThatDoesNotAnswer_isSaid() throws Exception {
        try (RedisServer primary = RedisServer.builder()
                        .config("repl-diskless-sync-delay", "0")
                        .start();
                RedisServer replica = RedisServer.builder()
                        .replicaOf(primary)
                        .password("other")
                        .start();
                PlainStore store = new PlainStore(primary.uri())) {
            Clients.until("follows", () -> (Long) primary.command("WAIT", "1", "100") == 1);
            assertThat(persistence(store, replica)).startsWith("not known: ").contains("password");
        }
    }

    private static String persistence(PlainStore store, RedisServer replica) throws StoreFailure {
        return store.store()
                .facts(PlainStore.TIMEOUT_NANOS)
                .getOrDefault("persistence of " + replica.host() + ':' + replica.port(), "");
    }
}
