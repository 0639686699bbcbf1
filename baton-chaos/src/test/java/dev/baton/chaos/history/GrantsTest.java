package dev.baton.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The next grant after a time, as the liveness checker and the report ask for it. */
class GrantsTest {
    private static Grants at(long... nanos) {
        List<Hold> holds = LongStream.of(nanos)
                .mapToObj(each -> new Hold(
                        1, 1, "x", 1, "TRY", each, each, each, Hold.NEVER, Hold.NEVER, Hold.End.DIED, Hold.Work.NONE))
                .toList();
        return Grants.of(holds);
    }

    @Test
    void next_isTheFirstThatIsNotEarlier() {
        Grants grants = at(30, 10, 20, 20, 20);
        assertThat(grants.nextFrom(11)).isEqualTo(OptionalLong.of(20));
        assertThat(grants.nextFrom(30)).isEqualTo(OptionalLong.of(30));
        assertThat(grants.nextFrom(31)).isEmpty();
    }

    @Test
    void index_countsAllThatAreEarlier() {
        Grants grants = at(30, 10, 20, 20, 20);
        assertThat(grants.indexFrom(20)).isEqualTo(1);
        assertThat(grants.indexFrom(21)).isEqualTo(4);
        assertThat(at().nextFrom(0)).isEmpty();
    }
}
