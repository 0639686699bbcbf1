package dev.baton.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.LockInfo;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which differences count as a change. */
class ChangesTest {
    private final Changes changes = new Changes();

    private static LockInfo held(String name, long token, int seconds, String... waiters) {
        return new LockInfo(
                name,
                LockInfo.Kind.LOCK,
                List.of(new LockInfo.Holder(
                        "by me", "client", token, token * 256, Duration.ofSeconds(seconds), false, 0)),
                List.of(waiters),
                Duration.ZERO,
                0);
    }

    private List<String> seen(boolean more, LockInfo... locks) {
        return changes.since(new Glance(List.of(locks), more)).stream()
                .map(Locks::line)
                .toList();
    }

    @Test
    void time_thatPasses_isNoChange() {
        assertThat(seen(false, held("a", 1, 30))).containsExactly("a: held by by me, token 256");
        assertThat(seen(false, held("a", 1, 29))).isEmpty();
        assertThat(seen(false, held("a", 2, 30))).containsExactly("a: held by by me, token 512");
        assertThat(seen(false, held("a", 2, 30, "x"))).containsExactly("a: held by by me, token 512, 1 waiting");
        assertThat(seen(false)).containsExactly("a: free");
        assertThat(seen(false)).isEmpty();
    }

    @Test
    void lock_beyondTheLimit_isNotSaidToBeFree() {
        seen(false, held("b", 1, 30), held("d", 2, 30));
        assertThat(seen(true, held("a", 3, 30), held("b", 1, 30))).hasSize(1);
        assertThat(seen(true, held("a", 3, 30), held("c", 4, 30)))
                .containsExactly("c: held by by me, token 1024", "b: free");
        assertThat(Stream.of(seen(false, held("a", 3, 30), held("c", 4, 30)))).containsExactly(List.of());
    }
}
