package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.cli.BatonProcess;
import dev.baton.cli.console.ExitCode;
import dev.baton.servers.EtcdServer;
import dev.baton.servers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No command continues without its lock, for any failure of {@code baton run}. */
class RunGuardTest {
    private static final String STUBBORN = "trap '' TERM; echo $$ >%s; while :; do sleep 0.1; done";
    private static final String PLAIN = "echo $$ >%s; while :; do sleep 0.1; done";

    /** Much more than the time between two looks at a process, unless this machine stands still. */
    private static final long LONG_PAUSE_NANOS = 100_000_000;

    @TempDir
    private Path directory;

    private Runs runs;

    @BeforeEach
    void open() {
        runs = Runs.onSqlite(directory);
    }

    @AfterEach
    void close() {
        runs.close();
    }

    /** A command that writes its process number to the file {@code pid}, and then waits. */
    private static String script(Runs runs, String text) {
        return text.formatted(runs.file("pid"));
    }

    /** Prints whether a process still runs; a zombie does not count. */
    private static String lives(ProcessHandle process) {
        return "ps -o stat= -p " + process.pid() + " | grep -q '^[^Z]' && echo alive || echo gone";
    }

    private static BatonProcess start(Runs runs, String script, String... options) {
        List<String> words = new ArrayList<>(List.of("--name", "x"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script(runs, script)));
        return runs.run(words.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void signal_isHandedOn_andTheEndIsTheCommands(String signal) throws Exception {
        BatonProcess baton = start(runs, "trap 'echo got " + signal + "; exit 9' " + signal + "; " + PLAIN);
        ProcessHandle command = runs.process("pid");
        baton.signal(signal);
        if (BatonProcess.ignores(signal)) {
            // The command ignores the signal as well, as it would without Baton.
            Thread.sleep(500);
            assertThat(command.isAlive()).isTrue();
            baton.signal("TERM");
            assertThat(baton.exitCode()).isEqualTo(ExitCode.SIGNALLED + 15);
            return;
        }
        assertThat(baton.exitCode()).as(baton.err()).isEqualTo(9);
        assertThat(baton.out()).isEqualTo("got " + signal + '\n');
    }

    @Test
    void signalThatTheCommandDiesOf_isWhatBatonDiesOf() throws Exception {
        BatonProcess baton = start(runs, PLAIN);
        runs.process("pid");
        baton.signal("TERM");
        assertThat(baton.exitCode()).as(baton.err()).isEqualTo(ExitCode.SIGNALLED + 15);
        assertThat(baton.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, STUBBORN})
    void lockTakenByForce_endsTheCommand_andSaysWhy(String script) throws Exception {
        // Long enough that a machine that stands still for seconds does not end it by itself.
        BatonProcess baton = start(runs, script, "--kill-after", "400ms", "--lease", "10s");
        ProcessHandle command = runs.process("pid");
        try (Baton admin = runs.client()) {
            assertThat(admin.admin().forceRelease("x")).isPresent();
        }
        assertThat(baton.exitCode()).isEqualTo(ExitCode.RUN_LOST);
        assertThat(baton.err()).isEqualTo("baton: the lock was taken away by force; ending the command\n");
        assertThat(Runs.isGone(command)).isTrue();
    }

    @Test
    void lockLost_endsChildrenInOtherSessionsToo() throws Exception {
        String child = "echo $$ >" + runs.file("child") + "; trap \"\" TERM; while :; do sleep 0.1; done";
        String both = "env -i setsid sh -c '" + child + "' & " + PLAIN;
        BatonProcess baton = start(runs, both, "--kill-after", "300ms", "--lease", "10s");
        ProcessHandle command = runs.process("pid");
        ProcessHandle descendant = runs.process("child");
        try (Baton admin = runs.client()) {
            assertThat(admin.admin().forceRelease("x")).isPresent();
        }
        assertThat(baton.exitCode()).isEqualTo(ExitCode.RUN_LOST);
        assertThat(Runs.isGone(command)).isTrue();
        assertThat(Runs.isGone(descendant)).isTrue();
    }

    @Test
    void commandThatEnds_leavesItsBackgroundChildrenAlone() throws Exception {
        BatonProcess baton = runs.run(
                "--name", "x", "--", "sh", "-c", "sh -c 'echo $$ >" + runs.file("pid") + "; exec sleep 30' >&- 2>&- &");
        ProcessHandle child = runs.process("pid");
        assertThat(baton.exitCode()).isZero();
        assertThat(child.isAlive()).isTrue();
        child.destroyForcibly();
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, STUBBORN})
    void batonKilled_takesTheCommandAlong_beforeTheNextOneStarts(String script) throws Exception {
        // A busy machine may take seconds until the guardian has looked at all processes.
        BatonProcess baton = start(runs, script, "--kill-after", "400ms", "--lease", "5s");
        ProcessHandle command = runs.process("pid");
        baton.kill();
        long start = System.nanoTime();
        BatonProcess next = runs.run("--name", "x", "--", "sh", "-c", lives(command));
        assertThat(next.exitCode()).isZero();
        assertThat(next.out()).isEqualTo("gone\n");
        // max(lease, claim window) + 1 s, and what a busy machine takes to start a JVM. The default lease is 30 s.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5 + 1 + 14));
    }

    /** The store is slow for longer than a command may take, and then executes its commands. */
    @Test
    void release_thatComesThroughLate_isNoTrouble() throws Exception {
        try (RedisServer redis = RedisServer.start();
                Runs onRedis = new Runs(Files.createDirectory(directory.resolve("late")), redis.uri())) {
            String stop = "kill -STOP " + redis.info("server").get("process_id") + "; touch " + onRedis.file("ran");
            BatonProcess baton = onRedis.run("--name", "x", "--", "sh", "-c", stop);
            Runs.until("the server is stopped", () -> Files.exists(onRedis.file("ran")));
            TimeUnit.SECONDS.sleep(7);
            redis.resume();
            assertThat(baton.exitCode()).as(baton.err()).isZero();
            assertThat(baton.err()).isEmpty();
            try (Baton look = onRedis.client()) {
                assertThat(look.admin().list("", 1)).isEmpty();
            }
        }
    }

    @Test
    void batonStopped_losesItsCommandBeforeTheLock() throws Exception {
        // The guardian ends the command a tenth of the lease before its end: the longest tenth is a second.
        BatonProcess baton = start(runs, STUBBORN, "--kill-after", "300ms", "--lease", "10s");
        ProcessHandle command = runs.process("pid");
        baton.signal("STOP");
        BatonProcess next = runs.run("--name", "x", "--", "sh", "-c", lives(command));
        assertThat(next.exitCode()).isZero();
        assertThat(next.out()).isEqualTo("gone\n");
        baton.signal("CONT");
        assertThat(baton.exitCode()).isEqualTo(ExitCode.RUN_LOST);
    }

    @Test
    void guardianKilled_isReplaced() throws Exception {
        BatonProcess baton = start(runs, STUBBORN, "--kill-after", "300ms", "--lease", "10s");
        ProcessHandle command = runs.process("pid");
        ProcessHandle first = guardian(baton, command);
        first.destroyForcibly();
        Runs.until("another one is there", () -> guardians(baton, command).anyMatch(other -> !other.equals(first)));
        // A new guardian does not watch until it has read its script, for which a busy machine may take seconds.
        Thread.sleep(5_000);
        baton.kill();
        Runs.until("the command is ended", () -> Runs.isGone(command));
    }

    /** Ctrl-C would end a guardian that does not listen yet, and the next one would pass the signal on once more. */
    @Test
    void command_startsWhenItsGuardianListens() throws Exception {
        String path = System.getenv("PATH");
        Path slow = Files.createDirectory(directory.resolve("slow"));
        BatonProcess.program(
                slow,
                "bash",
                "sleep 1; echo listens >'" + runs.file("listens") + "'; PATH='" + path + "' exec bash \"$@\"");
        BatonProcess baton = runs.start(
                Map.of("PATH", slow + ":" + path, "BATON_STORE", runs.store()),
                "run",
                "--name",
                "x",
                "--",
                "cat",
                runs.file("listens").toString());
        assertThat(baton.exitCode()).as(baton.err()).isZero();
        assertThat(baton.out()).isEqualTo("listens\n");
    }

    private static ProcessHandle guardian(BatonProcess baton, ProcessHandle command) throws Exception {
        Runs.until("a guardian is there", () -> guardians(baton, command).count() == 1);
        return guardians(baton, command).findFirst().orElseThrow();
    }

    private static Stream<ProcessHandle> guardians(BatonProcess baton, ProcessHandle command) {
        return baton.handle().children().filter(child -> child.isAlive() && !child.equals(command));
    }

    /** Returns how long it takes until a command is ended, less the times in which this machine stood still. */
    private static Duration timeToTheEndOf(ProcessHandle command) throws Exception {
        long start = System.nanoTime();
        long[] looked = {start};
        long[] stoodStill = new long[1];
        Runs.until("the command is ended", () -> {
            long now = System.nanoTime();
            if (now - looked[0] > LONG_PAUSE_NANOS) {
                stoodStill[0] += now - looked[0];
            }
            looked[0] = now;
            return Runs.isGone(command);
        });
        return Duration.ofNanos(System.nanoTime() - start - stoodStill[0]);
    }

    /** With the lease of 10 s it is ended after some 9 s; without its guard it would go on for the lease or longer. */
    @ParameterizedTest
    @ValueSource(strings = {PLAIN, STUBBORN})
    void storeThatFallsSilent_losesTheCommandBeforeTheLock(String script) throws Exception {
        try (RedisServer redis = RedisServer.start();
                Runs onRedis = new Runs(directory, redis.uri())) {
            BatonProcess baton = start(onRedis, script, "--kill-after", "300ms", "--lease", "10s");
            ProcessHandle command = onRedis.process("pid");
            redis.pause();
            assertThat(timeToTheEndOf(command)).isLessThan(Duration.ofSeconds(10));
            assertThat(baton.exitCode()).isEqualTo(ExitCode.RUN_LOST);
            assertThat(baton.err()).contains("the store has not answered for too long", "ending the command");
            redis.resume();
            try (Baton other = onRedis.client()) {
                assertThat(other.lock("x").tryAcquire(Duration.ofSeconds(20))).isPresent();
            }
        }
    }

    /** The same with the defaults: here the lock is certain for a part of the session, not for the lease time. */
    @Test
    void storeWithSessionsThatFallsSilent_losesTheCommandBeforeTheSession() throws Exception {
        try (EtcdServer etcd = EtcdServer.start();
                Runs onEtcd = new Runs(directory, etcd.uri())) {
            BatonProcess baton = start(onEtcd, STUBBORN);
            ProcessHandle command = onEtcd.process("pid");
            etcd.pause(0);
            assertThat(timeToTheEndOf(command)).isLessThan(Duration.ofMillis(6_700));
            assertThat(baton.exitCode()).isEqualTo(ExitCode.RUN_LOST);
            assertThat(baton.err()).contains("the store has not answered for too long", "ending the command");
        }
    }
}
