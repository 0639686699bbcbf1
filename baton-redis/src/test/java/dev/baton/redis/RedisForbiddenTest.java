package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.StoreException.Reason;
import dev.baton.servers.RedisServer;
import dev.baton.tck.StoreFixture;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that forbid or hide INFO, CONFIG or CLIENT: which are refused at connect, with which words, and which work. */
@Timeout(60)
class RedisForbiddenTest extends OnAnyRedis {
    private static final String SECRET = "s3cr3t-w0rd";

    private StoreException refusal(String uri) {
        return catchThrowableOfType(
                StoreException.class, () -> clients.connect(uri, options().build()));
    }

    private void works(String uri) throws InterruptedException {
        try (Lease lease = clients.connect(uri, options().build()).lock("works").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    private String uriOfUser(String rights) {
        server = RedisServer.builder()
                .aclUser("user app on >" + SECRET + " " + RedisFixture.RIGHTS.replace("NS", StoreFixture.NAMESPACE)
                        + " " + rights)
                .start();
        return "redis://app:" + SECRET + "@127.0.0.1:" + server.port();
    }

    private Map<String, String> facts(String uri) {
        return clients.connect(uri, options().build()).admin().examine().facts();
    }

    // ---- INFO ----------------------------------------------------------------------------------------------------

    @Test
    void info_thatThisUserMayNotRun_isTheRightToGive() {
        StoreException refused = refusal(uriOfUser("-info"));
        assertThat(refused.reason()).isEqualTo(Reason.DENIED);
        assertThat(refused)
                .hasMessageContaining("may not run INFO, by which Baton sees whether the server may have forgotten")
                .hasMessageContaining("give it +info (");
    }

    @Test
    void info_thatIsRenamedAway_isTheSettingToChange() throws IOException {
        try (SpoilingProxy proxy = SpoilingProxy.ofRequests(server.port(), "\r\nINFO")) {
            StoreException refused = refusal("redis://" + proxy.host());
            assertThat(refused.reason()).isEqualTo(Reason.UNFIT);
            assertThat(refused)
                    .hasMessageContaining("has no INFO, by which Baton sees")
                    .hasMessageContaining("remove the rename-command of INFO");
        }
    }

    @Test
    void info_withoutTheProcess_isRefused_alsoWithoutGrace() throws IOException {
        try (SpoilingProxy proxy = SpoilingProxy.ofAnswers(server.port(), "run_id:")) {
            for (String grace : new String[] {"", "?grace=off"}) {
                StoreException refused = refusal("redis://" + proxy.host() + grace);
                assertThat(refused.reason()).isEqualTo(Reason.UNFIT);
                assertThat(refused)
                        .hasMessageContaining("does not say in INFO which process it is (run_id)")
                        .hasMessageContaining("connect to the server itself");
            }
        }
    }

    /** What is spoiled stands in the scripts that the client sends, so INFO itself is as the server says it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'INFO          | lets no script run INF!, which locks need: see rename-command",
                "master_replid: | has no master_replid, by which scripts see that the server may have forgotten locks"
            })
    void info_thatScriptsDoNotGet_isRefused_unlessGraceIsOff(String spoiled, String why) throws Exception {
        server = RedisServer.start();
        try (SpoilingProxy proxy = SpoilingProxy.ofRequests(server.port(), spoiled)) {
            StoreException refused = refusal("redis://" + proxy.host());
            assertThat(refused.reason()).isEqualTo(Reason.UNFIT);
            assertThat(refused).hasMessageContaining(why);
            assertThat(server.command("DBSIZE")).isEqualTo(0L);
            works("redis://" + proxy.host() + "?grace=off");
        }
    }

    @Test
    void whatScriptsLack_isOneSentence_andRightsComeFirst() {
        assertThat(lacking("!INFO"))
                .contains("lets no script run INFO, by which scripts see that the server may have forgotten locks")
                .contains("see rename-command", "or set grace=off in the address of all clients");
        assertThat(lacking("?INFO")).contains("use a server that shows it, or set grace=off");
        assertThat(lacking("!HSET", "!ZADD"))
                .contains("lets no script run HSET, ZADD")
                .doesNotContain("grace=off");
        assertThat(lacking("!HSET", "GET", "TIME")).contains("give it +get +time (");
        assertThat(lacking()).isEmpty();
    }

    private static String lacking(String... found) {
        Throwable refused = catchThrowable(
                () -> Rights.of(Stream.of(found).map(Keys::bytes).toList()).require("the server"));
        return refused == null ? "" : String.valueOf(refused.getMessage());
    }

    // ---- CONFIG and CLIENT ---------------------------------------------------------------------------------------

    @Test
    void config_thatThisUserMayNotRun_isAFinding_andTheRestIsShown() {
        assertThat(facts(uriOfUser("")))
                .containsEntry(
                        "could not see",
                        "appendfsync and min-replicas-to-write: their value is not for this user to read: +config|get")
                .containsKeys("version", "role", "persistence", "eviction", "what can still go wrong");
    }

    @Test
    void config_thatIsRenamedAway_isAFinding_andTheRestIsShown() {
        server = RedisServer.builder()
                .appendOnly()
                .config("rename-command", "CONFIG \"\"")
                .start();
        assertThat(facts(server.uri()))
                .containsEntry(
                        "could not see",
                        "appendfsync and min-replicas-to-write: their value is not to be read: the server has no CONFIG")
                .containsEntry(
                        "persistence", "appendonly yes (appendfsync is not to be read: the server has no CONFIG)")
                .containsKeys("version", "role", "eviction", "what can still go wrong");
    }

    @Test
    void config_thatIsShown_isNoFinding() {
        server = RedisServer.start();
        assertThat(facts(server.uri())).doesNotContainKey("could not see");
    }

    @Test
    void client_thatIsForbidden_isNotNeeded() throws Exception {
        works(uriOfUser("-client|setname"));
        server.close();
        server = RedisServer.builder().config("rename-command", "CLIENT \"\"").start();
        works(server.uri());
    }
}
