package dev.baton.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.Lease;
import dev.baton.cli.BatonProcess;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.look.TestLocks.Place;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The output of {@code baton ls} and {@code baton show} for users and for programs. */
class LookTest {
    private static final String NASTY = "nasty\u001b[31m\nname";

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void ls_showsHoldersTokensAndWaiters(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            Lease stock = locks.hold("shop", "stock:1");
            Lease other = locks.hold("shop", "stock:2");
            locks.hold("cart", "cart:7");
            locks.queue("next", "stock:1");
            BatonProcess ls = locks.run(ExitCode.OK, "ls", "stock:");
            List<String> lines = ls.out().lines().toList();
            assertThat(lines).hasSize(3);
            assertThat(lines.get(0)).matches("NAME +TOKEN +HELD +LEFT +QUEUE +HOLDER");
            assertThat(lines.get(1))
                    .matches("stock:1 +" + stock.token() + " +\\d+s +[\\d.]+s +1 +shop on \\S+ pid \\d+");
            assertThat(lines.get(2)).matches("stock:2 +" + other.token() + " +\\d+s +[\\d.]+s +0 +shop on .*");
            assertThat(ls.err()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void ls_asJson_isOneObject(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            Lease stock = locks.hold("shop", "stock:1");
            locks.queue("next", "stock:1");
            locks.hold("shop", "stock:2");
            Map<String, Object> all = json(locks.run(ExitCode.OK, "ls", "--json"));
            assertThat(all).containsEntry("more", false);
            assertThat(list(all, "locks")).extracting("name").containsExactly("stock:1", "stock:2");
            Map<String, Object> first = list(all, "locks").get(0);
            assertThat(first).containsEntry("kind", "lock").containsEntry("held", true);
            assertThat(list(first, "holders").get(0))
                    .containsEntry("token", stock.token())
                    .containsEntry("revoked", false)
                    .containsKeys("clientId", "remainingMillis", "description")
                    .hasEntrySatisfying(
                            "since",
                            since -> assertThat(Instant.parse((String) since))
                                    .isBefore(Instant.now().plusSeconds(1)));
            assertThat((List<?>) first.get("waiters")).hasSize(1);
            Map<String, Object> some = json(locks.run(ExitCode.OK, "ls", "--json", "--limit", "1"));
            assertThat(some).containsEntry("more", true);
            assertThat(list(some, "locks")).hasSize(1);
            assertThat(locks.run(ExitCode.OK, "ls", "--limit", "1").err()).contains("more than 1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void ls_ofNothing_hasNoLines(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            BatonProcess ls = locks.run(ExitCode.OK, "ls");
            assertThat(ls.out()).isEmpty();
            assertThat(ls.err()).isEqualTo("baton: nobody holds a lock or waits for one\n");
            assertThat(locks.run(ExitCode.OK, "ls", "--json").out()).isEqualTo("{\"locks\":[],\"more\":false}\n");
            assertThat(locks.run(ExitCode.USAGE, "ls", "--limit", "0").err()).contains("--limit must be from 1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void ls_ofDeadlocks_namesEachThread_itsName_andTheOneBeforeIt(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            BatonProcess none = locks.run(ExitCode.OK, "ls", "--deadlocks");
            assertThat(none.out()).isEmpty();
            assertThat(none.err()).isEqualTo("baton: no threads wait for each other in a circle\n");
            locks.crossed("shop", "stock:1", "order", "cart:1");
            BatonProcess ls = locks.run(ExitCode.OK, "ls", "--deadlocks");
            List<String> lines = ls.out().lines().toList();
            assertThat(lines).hasSize(3);
            assertThat(lines.get(0)).isEqualTo("Deadlock of 2 threads:");
            assertThat(lines.subList(1, 3))
                    .anySatisfy(line -> assertThat(line)
                            .matches(
                                    "  shop on \\S+ pid \\d+ thread shop #\\d+ since .* waits for lock \"cart:1\", which is held"
                                            + " by order on \\S+ pid \\d+ thread order #\\d+"))
                    .anySatisfy(line -> assertThat(line).contains("lock \"stock:1\", which is held by shop on "));
            Map<String, Object> all = json(locks.run(ExitCode.OK, "ls", "--deadlocks", "--json"));
            assertThat(all).containsEntry("whole", true);
            assertThat((List<?>) all.get("deadlocks"))
                    .singleElement()
                    .satisfies(circle -> assertThat((List<?>) circle).hasSize(2));
        }
    }

    @ParameterizedTest
    @EnumSource
    void show_listsWaitersInTheirOrder(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            Lease held = locks.hold("shop", "stock:1");
            for (String waiter : List.of("zoe", "adam", "mia")) {
                locks.queue(waiter, "stock:1");
            }
            BatonProcess show = locks.run(ExitCode.OK, "show", "stock:1");
            assertThat(show.out())
                    .containsPattern("(?m)^name +stock:1$")
                    .containsPattern("(?m)^holder +shop on \\S+ pid \\d+$")
                    .containsPattern("(?m)^since +\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z, \\d+s ago$")
                    .containsPattern("(?m)^token +" + held.token() + "$")
                    .containsPattern("(?m)^remaining +[\\d.]+s, unless it is renewed$")
                    .containsPattern("(?m)^waiters +3\\n +1 +zoe on .*, for \\d+s\\n +2 +adam on .*\\n +3 +mia on ");
            Map<String, Object> json = json(locks.run(ExitCode.OK, "show", "stock:1", "--json"));
            assertThat(((List<?>) json.get("waiters")).stream().map(waiter -> ((String) waiter).split(" ")[0]))
                    .containsExactly("zoe", "adam", "mia");
        }
    }

    @ParameterizedTest
    @EnumSource
    void show_ofAFreeLock_saysSo(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            assertThat(locks.run(ExitCode.OK, "show", "stock:1").out()).isEqualTo("stock:1: free\n");
            assertThat(json(locks.run(ExitCode.OK, "show", "stock:1", "--json")))
                    .containsEntry("held", false)
                    .containsEntry("holders", List.of());
            assertThat(locks.run(ExitCode.USAGE, "show", "").err()).contains("NAME: a lock's name must not be empty");
        }
    }

    @ParameterizedTest
    @EnumSource
    void controls_inNamesAndDescriptions_reachNoTerminal(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            locks.hold("app\u001b]0;title\u0007\u009b2J", NASTY);
            locks.queue("next\u001bc", NASTY);
            for (List<String> command : List.of(
                    List.of("ls"),
                    List.of("ls", "--json"),
                    List.of("show", NASTY),
                    List.of("show", NASTY, "--json"),
                    List.of("watch", "--count", "1"),
                    List.of("watch", "--count", "1", "--json"),
                    List.of("release", NASTY, "--force", "--yes"))) {
                BatonProcess process = locks.run(ExitCode.OK, command.toArray(String[]::new));
                assertThat((process.out() + process.err()).chars().filter(c -> Character.isISOControl(c) && c != '\n'))
                        .as("%s", command)
                        .isEmpty();
                assertThat(process.out()).containsIgnoringCase("nasty\\u001b[31m\\");
            }
            assertThat(json(locks.run(ExitCode.OK, "show", NASTY, "--json"))).containsEntry("name", NASTY);
        }
    }

    static Map<String, Object> json(BatonProcess process) throws Exception {
        assertThat(process.out()).hasLineCount(1);
        return JSON.std.mapFrom(process.out());
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> list(Map<String, Object> json, String key) {
        return (List<Map<String, Object>>) json.get(key);
    }
}
