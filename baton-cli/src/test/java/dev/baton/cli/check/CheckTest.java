package dev.baton.cli.check;

import static dev.baton.cli.TestClients.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.Baton;
import dev.baton.cli.BatonProcess;
import dev.baton.cli.console.ExitCode;
import dev.baton.servers.EtcdServer;
import dev.baton.servers.MemcachedServer;
import dev.baton.servers.RedisServer;
import dev.baton.servers.clock.ClockShim;
import dev.baton.servers.clock.SettableClock;
import dev.baton.servers.net.FreePort;
import dev.baton.servers.net.TcpProxy;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton check} on stores that are fit and on stores that are not: advice and an exit code for each. */
class CheckTest {
    private static final String SECRET = "s3cr3t-w0rd";
    private static final String RIGHTS = "~baton:* +info +time +eval +evalsha +script|load +get +set +del +exists"
            + " +pexpire +hget +hset +hmget +hgetall +hdel +hrandfield +zadd +zcount +zremrangebyscore +publish"
            + " +pubsub|numsub +subscribe +scan +ping +select +client|setname";
    private static final int WRITE_VERSION_OFFSET = 18;

    @TempDir
    Path directory;

    private RedisServer server = RedisServer.shared();
    private int processes;

    @AfterEach
    void stop() {
        if (server != RedisServer.shared()) {
            server.close();
        }
    }

    private void start(RedisServer.Builder builder) {
        server = builder.start();
    }

    private String withLogin(String login) {
        return "redis://" + login + '@' + server.host() + ':' + server.port();
    }

    /** Checks a store, and asserts that no output contains a secret. */
    private BatonProcess check(int exitCode, String... arguments) throws InterruptedException {
        String[] all = new String[arguments.length + 1];
        all[0] = "check";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        Map<String, String> environment = Map.of();
        if (arguments.length > 0 && arguments[0].contains(SECRET)) {
            environment = Map.of("BATON_STORE", arguments[0]);
            all = Stream.of(all).filter(word -> !word.equals(arguments[0])).toArray(String[]::new);
        }
        Path own = directory.resolve("process" + processes++);
        try (BatonProcess baton = BatonProcess.start(own, List.of(), environment, all)) {
            assertThat(baton.exitCode()).as(baton.out() + baton.err()).isEqualTo(exitCode);
            assertThat(baton.out() + baton.err()).doesNotContain(SECRET);
            return baton;
        }
    }

    /** Returns the message if the check cannot make findings: one line. */
    private String refusal(int exitCode, String... arguments) throws InterruptedException {
        BatonProcess baton = check(exitCode, arguments);
        assertThat(baton.out()).isEmpty();
        assertThat(baton.err()).hasLineCount(1).startsWith("baton: ");
        return baton.err();
    }

    /** Returns the advice, both from the report for programs and from the one for users. */
    private List<String> changes(String uri) throws Exception {
        BatonProcess json = check(ExitCode.CHECK_CHANGE, uri, "--json");
        assertThat(json.out()).hasLineCount(1);
        assertThat(json.err()).isEmpty();
        Map<String, Object> object = JSON.std.mapFrom(json.out());
        assertThat(object).containsEntry("verdict", "change").containsEntry("exitCode", ExitCode.CHECK_CHANGE);
        List<String> changes =
                ((List<?>) object.get("change")).stream().map(String::valueOf).toList();
        String text = check(ExitCode.CHECK_CHANGE, uri).out();
        assertThat(text).contains("To change\n").endsWith("Locks work, but something should be changed.\n");
        assertThat(changes).allSatisfy(change -> assertThat(text).contains("  - " + change + '\n'));
        return changes;
    }

    // ---- Redis -----------------------------------------------------------------------------------------------------

    @Test
    void redis_thatKeepsItsData_isFit() throws Exception {
        start(RedisServer.builder().appendOnly().config("maxmemory-policy", "noeviction"));
        String text = check(ExitCode.OK, server.uri()).out();
        assertThat(text)
                .containsPattern("version +(Redis|Valkey) \\d+\\.\\d+")
                .containsPattern("role +primary, replicas: 0")
                .containsPattern("persistence +appendonly yes, appendfsync always: a restart forgets nothing")
                .containsPattern("eviction +maxmemory-policy noeviction, maxmemory 0 \\(no limit\\)")
                .containsPattern("up for +\\d+ s")
                .containsPattern("clients +\\d+")
                .containsPattern("Reach +network")
                // 50 times and 100 commands, or fewer if a busy machine takes 5 s for them.
                .containsPattern("a lock +taken and freed [1-9]\\d? times")
                .containsPattern(
                        "a round trip +p50 \\d+\\.\\d\\d ms, p90 .* ms, p99 .* ms \\([1-9]\\d{0,2} commands\\)")
                .containsPattern("the store's clock +\\S.*\\(for information")
                .endsWith("Fit for locks.\n")
                .doesNotContain("To change", "\u001b");
        Map<String, Object> json = JSON.std.mapFrom(
                check(ExitCode.OK, "--store", server.uri(), "--json").out());
        assertThat(json).containsEntry("verdict", "fit").containsEntry("change", List.of());
        assertThat(((Map<?, ?>) json.get("measured")).keySet().stream().map(String::valueOf))
                .containsExactly("clockDifferenceMillis", "commands", "p50Millis", "p90Millis", "p99Millis");
        try (Baton baton = Baton.connect(server.uri(), PATIENT)) {
            assertThat(baton.admin().list("", 10)).isEmpty();
        }
    }

    @Test
    void redis_thatMayForgetTheLastSecond_isToBeChanged() throws Exception {
        start(RedisServer.builder().config("appendonly", "yes").config("appendfsync", "everysec"));
        assertThat(changes(server.uri()))
                .singleElement()
                .asString()
                .contains("two may hold the same lock", "set appendfsync always");
        assertThat(check(ExitCode.CHECK_CHANGE, server.uri()).out()).contains("a crash may forget the last second");
    }

    @Test
    void redis_thatEvicts_isToBeChanged() throws Exception {
        start(RedisServer.builder().appendOnly().config("maxmemory", "50mb").config("maxmemory-policy", "allkeys-lru"));
        assertThat(changes(server.uri()))
                .singleElement()
                .asString()
                .contains("maxmemory-policy allkeys-lru", "set maxmemory-policy noeviction");
    }

    @Test
    void redis_withoutPersistence_isToBeChanged() throws Exception {
        assertThat(changes(server.uri())).singleElement().asString().contains("set appendonly yes");
    }

    @Test
    void user_withoutChannels_isToldWhichToGive() throws Exception {
        start(RedisServer.builder().appendOnly().aclUser("user deaf on >" + SECRET + " resetchannels " + RIGHTS));
        assertThat(changes(withLogin("deaf:" + SECRET))).anyMatch(change -> change.contains("the channels &baton:*"));
    }

    @Test
    void user_withTheLeastRights_isFit_butMayNotReadAll() throws Exception {
        start(RedisServer.builder().appendOnly().aclUser("user least on >" + SECRET + " &baton:* " + RIGHTS));
        assertThat(check(ExitCode.OK, withLogin("least:" + SECRET)).out())
                .contains("appendonly yes (appendfsync is not for this user to read: +config|get)");
    }

    @Test
    void redis_withTls_isFit() throws Exception {
        start(RedisServer.builder().appendOnly().tls());
        check(ExitCode.OK, server.uri() + "?ca=" + server.certificate());
    }

    @Test
    void user_withAWrongPassword_orWithoutRights_isDenied() throws Exception {
        start(RedisServer.builder()
                .password("right")
                .aclUser("user mute on >" + SECRET + " ~baton:* &baton:* +info +ping +select +client")
                .aclUser("user reader on >" + SECRET + " &baton:* " + RIGHTS.replace("~baton:*", "~baton:{0}:d")));
        assertThat(refusal(ExitCode.CHECK_DENIED, withLogin(":" + SECRET))).contains("user or password are wrong");
        assertThat(refusal(ExitCode.CHECK_DENIED, server.uri())).contains("the server wants a password");
        assertThat(refusal(ExitCode.CHECK_DENIED, withLogin("mute:" + SECRET))).contains("give this user the rights");
        assertThat(refusal(ExitCode.CHECK_DENIED, withLogin("reader:" + SECRET)))
                .contains("give this user the rights");
    }

    @Test
    void replica_orClusterNode_isUnfit() throws Exception {
        start(RedisServer.builder().config("replicaof", "127.0.0.1 1"));
        assertThat(refusal(ExitCode.CHECK_UNFIT, server.uri())).contains("is a replica", "connect to its primary");
        server.close();
        start(RedisServer.builder().config("cluster-enabled", "yes"));
        assertThat(refusal(ExitCode.CHECK_UNFIT, server.uri())).contains("write redis+cluster://HOST:PORT");
    }

    @Test
    void redis_whoseMemoryIsFull_isUnfit() throws Exception {
        start(RedisServer.builder());
        check(ExitCode.CHECK_CHANGE, server.uri());
        server.command("CONFIG", "SET", "maxmemory", "1");
        assertThat(refusal(ExitCode.CHECK_UNFIT, server.uri())).contains("memory is full: give it more");
    }

    @Test
    void port_thatIsClosed_orSilent_isUnreachable() throws Exception {
        String closed = "redis://:" + SECRET + "@127.0.0.1:" + FreePort.next();
        assertThat(refusal(ExitCode.CHECK_UNREACHABLE, closed)).contains("is it running there");
        Map<String, Object> json = JSON.std.mapFrom(
                check(ExitCode.CHECK_UNREACHABLE, closed, "--json").out());
        assertThat(json).containsEntry("verdict", "unreachable").containsEntry("exitCode", ExitCode.CHECK_UNREACHABLE);
        assertThat((List<?>) json.get("change")).hasSize(1);
        start(RedisServer.builder());
        server.pause();
        assertThat(refusal(ExitCode.CHECK_UNREACHABLE, server.uri())).contains("is it running there");
    }

    @Test
    void check_whoseLockIsTakenAway_fails() throws Exception {
        start(RedisServer.builder().appendOnly());
        BatonProcess json = checkWithoutItsLock("--json");
        assertThat(JSON.std.mapFrom(json.out()))
                .containsEntry("verdict", "failed")
                .containsEntry("exitCode", ExitCode.STORE)
                .extractingByKey("change")
                .asString()
                .contains("baton-examination:");
        BatonProcess text = checkWithoutItsLock();
        assertThat(text.out()).isEmpty();
        assertThat(text.err()).startsWith("baton: ").contains("baton-examination:");
    }

    /** Runs a check over a slow network, while an operator frees the lock that it takes. */
    private BatonProcess checkWithoutItsLock(String... arguments) throws Exception {
        try (TcpProxy slow = TcpProxy.to(server.host(), server.port());
                Baton operator = Baton.connect(server.uri(), PATIENT)) {
            slow.delay(Duration.ofMillis(50));
            List<String> all = new ArrayList<>(List.of("check", "redis://127.0.0.1:" + slow.port()));
            all.addAll(List.of(arguments));
            Path own = directory.resolve("process" + processes++);
            try (BatonProcess baton = BatonProcess.start(own, all.toArray(String[]::new))) {
                while (baton.handle().isAlive() && !isFreed(operator)) {
                    Thread.sleep(5);
                }
                assertThat(baton.exitCode()).as(baton.out() + baton.err()).isEqualTo(ExitCode.STORE);
                return baton;
            }
        }
    }

    private static boolean isFreed(Baton operator) {
        return operator.admin().list("baton-examination:", 1).stream()
                .anyMatch(
                        taken -> operator.admin().forceReleaseNow(taken.name()).isPresent());
    }

    // ---- whose clock -----------------------------------------------------------------------------------------------

    @Test
    void redis_whoseClockIsWrong_isToBeChanged() throws Exception {
        SettableClock clock =
                ClockShim.compile(directory.resolve("shim"), ClockShim.COMPILER).clock(directory.resolve("clock"));
        start(RedisServer.builder().ofSystem().environment(clock.environment()).appendOnly());
        check(ExitCode.OK, server.uri());
        for (int hours : new int[] {-1, 1}) {
            clock.set(Duration.ofHours(hours));
            assertThat(check(ExitCode.CHECK_CHANGE, server.uri()).out())
                    .containsPattern("To change\n  - the store's clock is 3(599|60\\d)\\.\\d s "
                            + (hours < 0 ? "behind" : "ahead of")
                            + " this machine's: one of them is wrong, and when the store's is set forward, leases end"
                            + " early and two may hold the same lock; let NTP keep both, and slew rather than step the"
                            + " store's\n\nLocks work");
        }
    }

    @Test
    void store_whoseClientsKeepTheTime_isNotSaidToKeepIt() throws Exception {
        String uri = EtcdServer.shared().uri();
        BatonProcess text = checkAny(uri);
        assertThat(text.out())
                .containsPattern("the store's clock +not used: leases go by their client's own clock")
                .doesNotContain("by the store's clock");
        Map<String, Object> json = JSON.std.mapFrom(checkAny(uri, "--json").out());
        assertThat(((Map<?, ?>) json.get("measured")).keySet().stream().map(String::valueOf))
                .containsExactly("commands", "p50Millis", "p90Millis", "p99Millis");
    }

    @Test
    void memcached_endsItemsByItsOwnClock_andIsSaidTo() throws Exception {
        assertThat(checkAny(MemcachedServer.shared().uri()).out())
                .containsPattern("the store's clock +\\S.*\\(for information: leases go by the store's clock alone\\)");
    }

    /** Runs a check that may be fit or advise a change: that depends on the server's version and settings. */
    private BatonProcess checkAny(String... arguments) throws InterruptedException {
        String[] all = new String[arguments.length + 1];
        all[0] = "check";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try (BatonProcess baton = BatonProcess.start(directory.resolve("process" + processes++), all)) {
            assertThat(baton.exitCode()).as(baton.out() + baton.err()).isIn(ExitCode.OK, ExitCode.CHECK_CHANGE);
            return baton;
        }
    }

    // ---- SQLite ----------------------------------------------------------------------------------------------------

    @Test
    void sqlite_onADisk_isFit() throws Exception {
        Path file = directory.resolve("locks.db");
        assertThat(check(ExitCode.OK, "jdbc:sqlite:" + file + "?synchronous=FULL")
                        .out())
                .containsPattern("version +SQLite 3\\.\\d+")
                .contains(file.toString())
                .containsPattern("size +\\d+ bytes")
                .containsPattern("journal_mode +wal")
                .containsPattern("synchronous +FULL")
                .containsPattern("Reach +one machine")
                .endsWith("Fit for locks.\n");
    }

    /**
     * SQLite does not write to a file of a newer format. So the file is read-only even for a user like root, who can
     * write any file.
     */
    @Test
    void sqlite_thatIsReadOnly_isDenied() throws Exception {
        Path file = directory.resolve("locks.db");
        check(ExitCode.OK, "jdbc:sqlite:" + file);
        try (RandomAccessFile header = new RandomAccessFile(file.toFile(), "rw")) {
            header.seek(WRITE_VERSION_OFFSET);
            header.write(3);
        }
        assertThat(refusal(ExitCode.CHECK_DENIED, "jdbc:sqlite:" + file))
                .contains("the file is read-only: give this user write access to " + file);
    }

    @Test
    void sqlite_whereThereIsADirectory_orAnotherFile_isUnfit() throws Exception {
        assertThat(refusal(ExitCode.CHECK_UNFIT, "jdbc:sqlite:" + directory)).contains("is a directory: name a file");
        Path notes = Files.writeString(directory.resolve("notes.txt"), "somebody's notes\n".repeat(100));
        assertThat(refusal(ExitCode.CHECK_UNFIT, "jdbc:sqlite:" + notes)).contains("is not an SQLite database");
    }

    @Test
    void sqlite_inADirectoryThatIsMissing_isUnreachable() throws Exception {
        assertThat(refusal(ExitCode.CHECK_UNREACHABLE, "jdbc:sqlite:" + directory.resolve("nowhere/locks.db")))
                .contains("create it, or name another file");
    }

    // ---- arguments -------------------------------------------------------------------------------------------------

    @Test
    void memory_isFit_andReachesNoFurther() throws Exception {
        assertThat(check(ExitCode.OK, "memory:").out()).containsPattern("Reach +one JVM");
    }

    @Test
    void store_ofTheEnvironment_isTheOneThatIsChecked() throws Exception {
        Map<String, String> environment = Map.of("BATON_STORE", "memory:");
        try (BatonProcess baton = BatonProcess.start(directory, List.of(), environment, "check", "--json")) {
            assertThat(baton.exitCode()).as(baton.err()).isZero();
            assertThat(baton.out()).contains("\"Store\":\"memory\"");
        }
    }

    @Test
    void arguments_thatMakeNoSense_areRefused() throws Exception {
        assertThat(refusal(ExitCode.USAGE, "nonsense")).contains("is not an address of a store");
        assertThat(refusal(ExitCode.USAGE, "memory:", "--store", "memory:")).contains("name the store once");
    }
}
