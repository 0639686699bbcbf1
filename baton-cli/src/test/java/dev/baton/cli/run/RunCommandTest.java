package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.DistributedReadWriteLock;
import dev.baton.Lease;
import dev.baton.cli.BatonProcess;
import dev.baton.cli.Strangers;
import dev.baton.cli.console.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The interface of {@code baton run} for scripts: exit codes, input and output, environment. */
class RunCommandTest {
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

    private static void hasSaid(BatonProcess baton, int exitCode, String said) throws InterruptedException {
        assertThat(baton.exitCode()).as(baton.err()).isEqualTo(exitCode);
        assertThat(baton.err()).startsWith("baton: ").contains(said).hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "7, 7", "255, 255"})
    void exitCode_ofTheCommand_isPassedThrough(String code, int seen) throws Exception {
        BatonProcess baton = runs.run("--name", "x", "--", "sh", "-c", "exit " + code);
        assertThat(baton.exitCode()).isEqualTo(seen);
        assertThat(baton.err()).isEmpty();
        assertThat(baton.out()).isEmpty();
    }

    @Test
    void commandThatDiesOfASignal_isToldAsInShells() throws Exception {
        assertThat(runs.run("--name", "x", "--", "sh", "-c", "kill -9 $$").exitCode())
                .isEqualTo(ExitCode.SIGNALLED + 9);
    }

    @Test
    void commandThatCannotStart_isToldAsInShells_andTheLockIsFree() throws Exception {
        hasSaid(runs.run("--name", "x", "--", "no-such-command"), ExitCode.RUN_NOT_FOUND, "'no-such-command'");
        Path data = Files.writeString(runs.file("data"), "no program");
        hasSaid(runs.run("--name", "x", "--", data.toString()), ExitCode.RUN_NOT_EXECUTABLE, "'" + data + "'");
        assertThat(runs.run("-n", "--name", "x", "true").exitCode()).isZero();
    }

    @Test
    void command_hasInputOutputAndArgumentsOfItsOwn() throws Exception {
        BatonProcess baton = runs.run(
                "--name", "x", "sh", "-c", "cat; printf \"%s,\" \"$@\" >&2", "sh", "-n", "--name", "@y", "a b");
        baton.type("typed\n");
        assertThat(baton.exitCode()).isZero();
        assertThat(baton.out()).isEqualTo("typed\n");
        assertThat(baton.err()).isEqualTo("-n,--name,@y,a b,");
    }

    @Test
    void command_knowsTheLocksNameAndToken_whichGrows() throws Exception {
        long before = 0;
        for (int i = 0; i < 2; i++) {
            BatonProcess baton = runs.run("--name", "the name", "--", "sh", "-c", "echo \"$BATON_NAME:$BATON_TOKEN\"");
            assertThat(baton.exitCode()).isZero();
            assertThat(baton.out()).startsWith("the name:");
            long token = Long.parseLong(baton.out().strip().split(":")[1]);
            assertThat(token).isGreaterThan(before);
            before = token;
        }
    }

    @Test
    void busy_endsAsAskedFor_andSaysWhoHasIt() throws Exception {
        try (Baton other = runs.client();
                Lease held = other.lock("x").acquire()) {
            assertThat(held.isHeld()).isTrue();
            BatonProcess silent = runs.run("-n", "--name", "x", "--", "echo", "no");
            assertThat(silent.exitCode()).isEqualTo(ExitCode.RUN_BUSY);
            assertThat(silent.err() + silent.out()).isEmpty();
            assertThat(runs.run("-n", "-E", "0", "--name", "x", "--", "echo", "no")
                            .exitCode())
                    .isZero();
            // Who has it is told after 300 ms, on a busy machine later.
            BatonProcess verbose = runs.run("-w", "5s", "-v", "--name", "x", "--", "echo", "no");
            assertThat(verbose.exitCode()).isEqualTo(ExitCode.RUN_BUSY);
            assertThat(verbose.out()).isEmpty();
            assertThat(verbose.err())
                    .contains(
                            "waiting for 'x', held by ",
                            "pid " + ProcessHandle.current().pid(),
                            "somebody else has 'x' after ",
                            "held by ",
                            "since 2",
                            "if not renewed, for another ");
        }
    }

    @Test
    void wait_endsWithTheOtherHoldersLease() throws Exception {
        BatonProcess baton;
        try (Baton other = runs.client();
                Lease held = other.lock("x").acquire()) {
            baton = runs.run("--wait", "1m", "--name", "x", "--", "echo", "mine");
            Runs.until(
                    "it queues",
                    () -> other.admin().inspect("x").orElseThrow().waiters().size() == 1);
            held.release();
        }
        assertThat(baton.exitCode()).isZero();
        assertThat(baton.out()).isEqualTo("mine\n");
    }

    @Test
    void reader_runsBesideReaders_withoutAToken_andTheWriterAlone() throws Exception {
        try (Baton other = runs.client()) {
            DistributedReadWriteLock lock = other.readWriteLock("x");
            try (Lease reader = lock.read().acquire()) {
                assertThat(reader.isHeld()).isTrue();
                BatonProcess beside = runs.start(
                        Map.of("BATON_TOKEN", "of an outer command"),
                        "run",
                        "--store",
                        runs.store(),
                        "-n",
                        "--read",
                        "--name",
                        "x",
                        "--",
                        "sh",
                        "-c",
                        "echo \"<$BATON_NAME:$BATON_TOKEN>\"");
                assertThat(beside.exitCode()).as(beside.err()).isZero();
                assertThat(beside.out()).isEqualTo("<x:>\n");
                assertThat(runs.run("-n", "--write", "--name", "x", "true").exitCode())
                        .isEqualTo(ExitCode.RUN_BUSY);
                hasSaid(runs.run("-n", "--name", "x", "true"), ExitCode.RUN_ITSELF, "\"x\" is in use as a READ_WRITE");
            }
            BatonProcess writer =
                    runs.run("--write", "--name", "x", "--", "sh", "-c", "echo \"$BATON_TOKEN\"; read end");
            Runs.until("it writes", () -> !writer.out().isEmpty());
            assertThat(lock.read().tryAcquire()).isEmpty();
            writer.type("\n");
            assertThat(writer.exitCode()).isZero();
            assertThat(Long.parseLong(writer.out().strip())).isPositive();
        }
    }

    @Test
    void permits_letSoManyCommandsRunAtOnce() throws Exception {
        try (Baton other = runs.client();
                Lease two = other.semaphore("x", 3).acquire(2)) {
            assertThat(two.isHeld()).isTrue();
            BatonProcess third = runs.run("--permits", "3", "--name", "x", "--", "sh", "-c", "echo runs; read end");
            Runs.until("it runs", () -> !third.out().isEmpty());
            assertThat(runs.run("-n", "--permits", "3", "--name", "x", "true").exitCode())
                    .isEqualTo(ExitCode.RUN_BUSY);
            hasSaid(
                    runs.run("-n", "--permits", "4", "--name", "x", "true"),
                    ExitCode.RUN_ITSELF,
                    "in use as a SEMAPHORE of capacity 3");
            third.type("\n");
            assertThat(third.exitCode()).isZero();
            assertThat(runs.run("-n", "--permits", "3", "--name", "x", "true").exitCode())
                    .isZero();
        }
    }

    @Test
    void severalNames_areHeldTogether_eachWithItsToken() throws Exception {
        try (Baton other = runs.client()) {
            BatonProcess both = runs.run(
                    "--name",
                    "y",
                    "--name",
                    "x",
                    "--",
                    "sh",
                    "-c",
                    "echo \"<$BATON_NAME_1:$BATON_NAME_2:$BATON_NAME:$BATON_TOKEN>\"; echo $BATON_TOKEN_1;"
                            + " echo $BATON_TOKEN_2; read end");
            Runs.until("it runs", () -> both.out().lines().count() == 3);
            List<String> said = both.out().lines().toList();
            assertThat(said.get(0)).isEqualTo("<y:x::>");
            assertThat(other.lock("x").tryAcquire()).isEmpty();
            assertThat(other.lock("y").tryAcquire()).isEmpty();
            assertThat(runs.run("-n", "--name", "a", "--name", "x", "true").exitCode())
                    .isEqualTo(ExitCode.RUN_BUSY);
            both.type("\n");
            assertThat(both.exitCode()).isZero();
            try (Lease x = other.lock("x").acquire();
                    Lease y = other.lock("y").acquire();
                    Lease a = other.lock("a").acquire()) {
                assertThat(y.token()).isGreaterThan(Long.parseLong(said.get(1)));
                assertThat(x.token()).isGreaterThan(Long.parseLong(said.get(2)));
                assertThat(a.isHeld()).isTrue();
            }
        }
    }

    @Test
    void atLeast_keepsTheLockFromEverybody_whenTheCommandHasEnded() throws Exception {
        // Longer than a busy machine takes to start the next two commands.
        BatonProcess baton = runs.run("--at-least", "1m", "--name", "x", "--", "sh", "-c", "exit 3");
        assertThat(baton.exitCode()).as("at once").isEqualTo(3);
        assertThat(baton.err()).isEmpty();
        assertThat(runs.run("-n", "--name", "x", "true").exitCode()).isEqualTo(ExitCode.RUN_BUSY);
        BatonProcess shown = runs.start(Map.of(), "show", "--store", runs.store(), "x");
        assertThat(shown.exitCode()).isZero();
        assertThat(shown.out()).matches("x: kept free for another [0-9.]+m?s\n");
        assertThat(runs.run("--at-least", "3s", "--name", "soon", "true").exitCode())
                .isZero();
        assertThat(runs.run("-w", "60", "--name", "soon", "true").exitCode()).isZero();
    }

    @Test
    void atLeast_ofACommandThatCannotBeStarted_keepsNothing() throws Exception {
        assertThat(runs.run("--at-least", "1h", "--name", "z", "/no/such/command")
                        .exitCode())
                .isEqualTo(ExitCode.RUN_NOT_FOUND);
        assertThat(runs.run("-n", "--write", "--at-least", "0.1s", "--name", "z", "true")
                        .exitCode())
                .isZero();
    }

    @Test
    void atLeast_isEndedByForce() throws Exception {
        assertThat(runs.run("--at-least", "1h", "--name", "y", "true").exitCode())
                .isZero();
        BatonProcess listed = runs.start(Map.of(), "ls", "--store", runs.store());
        assertThat(listed.exitCode()).isZero();
        assertThat(listed.out()).contains("nobody, kept free");
        BatonProcess released = runs.start(Map.of(), "release", "--store", runs.store(), "--force", "--yes", "y");
        assertThat(released.exitCode()).isZero();
        assertThat(released.out()).contains("\"y\" was kept free for another").contains("is free now");
        assertThat(runs.run("-n", "--name", "y", "true").exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run ls                                      | --name
            run --name x                                | CMD
            run --name x -n -w 3 ls                     | contradict
            run --name x --read --write ls              | contradict
            run --name x --write --permits 2 ls         | contradict
            run --name x --permits 0 ls                 | at least 1 permit
            run --name x --name y --permits 2 ls        | several --name are for locks
            run --name x --read --at-least 5s ls        | use it with a lock or a writer
            run --name x --name y --name x ls           | "x" twice
            run --name x -w soon ls                     | is not a time
            run --name x -w -3 ls                       | is not a time
            run --name x -E 256 ls                      | from 0 to 255
            run --name x --kill-after 0 ls              | --kill-after
            run --name x --lease 0 ls                   | --lease
            run --name x --lease 1ms ls                 | --lease: the lease time must be at least 100 ms
            run --name x --store reddis://h ls          | did you mean redis:
            run --name x --namespace a:b ls             | --namespace
            run --name x --store nonsense ls            | --store
            run --name x --store @/no/such/file ls      | /no/such/file
            """)
    void wrongArguments_areToldInOneLine(String line, String said) throws Exception {
        BatonProcess baton = runs.start(Map.of("BATON_STORE", runs.store()), line.split(" "));
        hasSaid(baton, ExitCode.RUN_ITSELF, said);
        assertThat(baton.out()).isEmpty();
    }

    @Test
    void storeThatIsNotThere_isTold_andNothingStarts() throws Exception {
        BatonProcess baton = runs.start(
                Map.of("BATON_STORE", "redis://:hidden@127.0.0.1:1"), "run", "--name", "x", "--", "echo", "no");
        hasSaid(baton, ExitCode.RUN_STORE, "127.0.0.1:1");
        assertThat(baton.err()).doesNotContain("hidden");
        assertThat(baton.out()).isEmpty();
    }

    @Test
    void store_canBeNamedInAFile_whichKeepsThePasswordOutOfSight() throws Exception {
        Path file = Files.writeString(runs.file("store"), "# where locks live\n\n  " + runs.store() + "  \n");
        assertThat(runs.start(Map.of(), "run", "--store", "@" + file, "--name", "x", "true")
                        .exitCode())
                .isZero();
        assertThat(runs.start(Map.of("BATON_STORE", "@" + file), "run", "--name", "x", "true")
                        .exitCode())
                .isZero();
        assertThat(runs.file("locks.db")).exists();
        BatonProcess seen =
                runs.start(Map.of(), "run", "--store", "redis://u:hidden@127.0.0.1:1", "--name", "x", "true");
        assertThat(seen.exitCode()).isEqualTo(ExitCode.RUN_STORE);
        assertThat(seen.err()).contains("can read the password in --store").doesNotContain("hidden");
    }

    /** All children of a command inherit its environment too, and may log it. */
    @Test
    void password_isNotHandedOn_andWhoMayReadItIsSaid() throws Exception {
        String address = "jdbc:h2:" + runs.file("h2") + ";USER=sa;PASSWORD=hidden";
        String show = "echo \"<$BATON_STORE>\"";
        BatonProcess own = runs.start(Map.of("BATON_STORE", address), "run", "--name", "x", "--", "sh", "-c", show);
        assertThat(own.exitCode()).as(own.err()).isZero();
        assertThat(own.out()).isEqualTo("<>\n");
        assertThat(own.err()).isEmpty();
        Path file = Files.writeString(runs.file("store"), address);
        Map<String, String> named = Map.of("BATON_STORE", "@" + file);
        for (String permissions : List.of("rw-r-----", "rw-r--r--")) {
            Strangers.permit(file, permissions);
            BatonProcess baton = runs.start(named, "run", "--name", "x", "--", "sh", "-c", show);
            assertThat(baton.exitCode()).as(baton.err()).isZero();
            assertThat(baton.out()).isEqualTo("<@" + file + ">\n");
            if (permissions.endsWith("---")) {
                assertThat(baton.err()).isEmpty();
            } else {
                assertThat(baton.err()).hasLineCount(1).contains("every user of this machine can read", "chmod o-r");
            }
        }
        BatonProcess typed = runs.start(Map.of(), "ls", "--json", "--store", address);
        assertThat(typed.exitCode()).as(typed.err()).isZero();
        assertThat(typed.out()).hasLineCount(1).startsWith("{\"locks\"");
        assertThat(typed.err())
                .hasLineCount(1)
                .contains("can read the password in --store")
                .doesNotContain("hidden");
        BatonProcess plain =
                runs.start(Map.of("BATON_STORE", runs.store()), "run", "--name", "x", "--", "sh", "-c", show);
        assertThat(plain.exitCode()).isZero();
        assertThat(plain.out()).isEqualTo("<" + runs.store() + ">\n");
    }

    @Test
    void help_isWorthReading() throws Exception {
        BatonProcess baton = runs.start(Map.of(), "run", "--help");
        assertThat(baton.exitCode()).isZero();
        assertThat(baton.out())
                .contains("BATON_TOKEN", "Exit codes:", "124", "--kill-after")
                .doesNotContain("\u001b");
    }
}
