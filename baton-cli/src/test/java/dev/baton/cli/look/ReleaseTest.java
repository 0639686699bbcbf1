package dev.baton.cli.look;

import static dev.baton.cli.look.LookTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Lease;
import dev.baton.LossCause;
import dev.baton.cli.BatonProcess;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.look.TestLocks.Place;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code baton release}: no holder loses a lock by accident, and a holder that loses one is told. */
class ReleaseTest {
    private static final List<String> TERMINAL = List.of("-Dbaton.stdin.tty=true", "-Dbaton.stderr.tty=true");

    @TempDir
    Path directory;

    @Test
    void release_withoutForce_orUnasked_takesNothing() throws Exception {
        try (TestLocks locks = new TestLocks(Place.SQLITE, directory)) {
            Lease lease = locks.hold("shop", "stock:1");
            assertThat(locks.run(ExitCode.USAGE, "release", "stock:1", "--yes").err())
                    .contains("--force");
            assertThat(locks.run(ExitCode.USAGE, "release", "stock:1", "--force")
                            .err())
                    .contains("add --yes");
            assertThat(lease.isHeld()).isTrue();
            assertThat(locks.client("look")
                            .admin()
                            .inspect("stock:1")
                            .orElseThrow()
                            .holders()
                            .get(0)
                            .revoked())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void release_tellsTheHolder_andWhomItWasTakenFrom(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            Lease lease = locks.hold("shop", "stock:1");
            CompletableFuture<LossCause> lost = new CompletableFuture<>();
            lease.onLost(lost::complete);
            BatonProcess release = locks.run(ExitCode.OK, "release", "stock:1", "--force", "--yes");
            assertThat(release.out())
                    .contains(
                            "\"stock:1\" taken from shop on ", "token " + lease.token(), "at the latest when its lease")
                    .doesNotContain("UNSAFE");
            assertThat(lost.get(30, TimeUnit.SECONDS)).isEqualTo(LossCause.REVOKED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void release_now_letsTheNextInAtOnce_andSaysThatItIsUnsafe(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            locks.holdDeafly("shop", "stock:1");
            CompletableFuture<Lease> next = locks.queue("next", "stock:1");
            Map<String, Object> json =
                    json(locks.run(ExitCode.OK, "release", "stock:1", "--force", "--now", "--yes", "--json"));
            assertThat(json).containsEntry("released", true).containsEntry("now", true);
            Map<?, ?> from = (Map<?, ?>) json.get("from");
            assertThat((String) from.get("description")).startsWith("shop on ");
            // The other one would look again only after minutes.
            next.get(30, TimeUnit.SECONDS);
            assertThat(locks.run(ExitCode.OK, "release", "stock:1", "--force", "--now", "--yes")
                            .out())
                    .contains("taken from next on ", "UNSAFE");
        }
    }

    @ParameterizedTest
    @EnumSource
    void release_ofWhatNobodyHolds_hasAnExitCodeOfItsOwn(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            assertThat(locks.run(ExitCode.NOT_HELD, "release", "stock:1", "--force", "--yes")
                            .err())
                    .isEqualTo("baton: nobody holds \"stock:1\"\n");
            assertThat(json(locks.run(ExitCode.NOT_HELD, "release", "stock:1", "--force", "--yes", "--json")))
                    .containsEntry("released", false)
                    .containsEntry("from", null);
        }
    }

    @Test
    void question_answeredNo_takesNothing() throws Exception {
        try (TestLocks locks = new TestLocks(Place.SQLITE, directory)) {
            Lease lease = locks.hold("shop", "stock:1");
            for (String answer : List.of("n", "", "yeah")) {
                BatonProcess release = ask(locks, "stock:1", "--now");
                release.type(answer + "\n");
                assertThat(release.exitCode()).isEqualTo(ExitCode.NOT_CONFIRMED);
                assertThat(release.err())
                        .contains("\"stock:1\" is held by shop on ", "UNSAFE", "[y/N]", "nothing was done");
            }
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void question_answeredYes_takesTheLock() throws Exception {
        try (TestLocks locks = new TestLocks(Place.SQLITE, directory)) {
            locks.hold("shop", "stock:1");
            BatonProcess release = ask(locks, "stock:1");
            release.awaitSaid("[y/N]");
            release.type("y\n");
            assertThat(release.exitCode()).as(release.err()).isZero();
            assertThat(release.err())
                    .contains("It is free when the holder has heard of it")
                    .doesNotContain("UNSAFE");
            assertThat(release.out()).contains("taken from shop on ");
        }
    }

    @Test
    void holder_whoCameWhileSomebodyWasAsked_keepsTheLock() throws Exception {
        try (TestLocks locks = new TestLocks(Place.SQLITE, directory)) {
            Lease first = locks.hold("shop", "stock:1");
            BatonProcess release = ask(locks, "stock:1", "--now");
            release.awaitSaid("[y/N]");
            first.release();
            Lease second = locks.hold("next", "stock:1");
            release.type("yes\n");
            assertThat(release.exitCode()).isEqualTo(ExitCode.NOT_CONFIRMED);
            assertThat(release.err()).contains("somebody else holds \"stock:1\" by now");
            assertThat(locks.client("look")
                            .admin()
                            .inspect("stock:1")
                            .orElseThrow()
                            .holders()
                            .get(0)
                            .firstToken())
                    .isEqualTo(second.token());
        }
    }

    private static BatonProcess ask(TestLocks locks, String name, String... more) {
        String[] arguments = new String[3 + more.length];
        arguments[0] = "release";
        arguments[1] = name;
        arguments[2] = "--force";
        System.arraycopy(more, 0, arguments, 3, more.length);
        return locks.start(TERMINAL, Map.of(), arguments);
    }
}
