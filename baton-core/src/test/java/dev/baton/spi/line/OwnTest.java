package dev.baton.spi.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnTest {
    private static Own held() {
        Own own = new Own(
                "ab".repeat(16),
                new Acquire(Resource.lock("x"), CommandNumber.of(1), 1, 100, 0, "test", Acquire.Mode.QUEUE, 1));
        Entry entry = new Entry("x", own.label, "/x/1");
        own.joined(new LineServer.Joined(new LineServer.Noted(entry, 7, 0, own.notes), "session", List.of(entry)), 50);
        assertThat(own.hold(7, 100, true, 0)).isTrue();
        return own;
    }

    @Test
    void holdThatIsBeingRemoved_isNotRenewed() {
        Own own = held();
        assertThat(own.endIfOverdue(100)).isTrue();
        // A heartbeat that looked at the clock before.
        assertThat(own.renew(99, 100, true)).isEmpty();
        Own released = held();
        released.leaving(false);
        assertThat(released.renew(10, 100, true)).isEmpty();
    }

    @Test
    void holdThatWasRenewed_isNotOverdue() {
        Own own = held();
        assertThat(own.renew(99, 100, true)).hasValue(199);
        assertThat(own.endIfOverdue(100)).isFalse();
        assertThat(own.renew(199, 100, true)).isEmpty();
        assertThat(own.endIfOverdue(199)).isTrue();
        assertThat(own.hasFailed()).isTrue();
    }

    @Test
    void delayThatIsToStay_staysWhateverComesAfter() {
        Own own = held();
        assertThat(own.endIfOverdue(100)).isTrue();
        assertThat(own.leaving(true)).isTrue();
        assertThat(own.leaving(false)).as("a late release").isTrue();
    }

    @Test
    void removalWithoutAnswer_isStranded_untilItIsSentAgain() {
        Own own = held();
        own.leaving(false);
        assertThat(own.isStranded()).isFalse();
        own.left(false);
        assertThat(own.isStranded()).isTrue();
        own.leaving(false);
        assertThat(own.isStranded()).isFalse();
        own.left(true);
        assertThat(own.isUnanswered()).isTrue();
    }
}
