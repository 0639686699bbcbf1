package dev.baton.internal.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptTest {
    private static Attempt held() {
        Attempt own = new Attempt(
                "ab".repeat(16),
                new Acquire(Resource.lock("x"), CommandNumber.of(1), 1, 100, 0, "test", Acquire.Mode.QUEUE, 1));
        Entry entry = new Entry("x", own.label, "/x/1");
        own.joined(
                new OrderedServer.Joined(new OrderedServer.Noted(entry, 7, 0, own.notes), "session", List.of(entry)),
                50);
        assertThat(own.hold(7, 100, true, 0)).isTrue();
        return own;
    }

    @Test
    void holdThatIsBeingRemoved_isNotRenewed() {
        Attempt own = held();
        assertThat(own.endIfOverdue(100)).isTrue();
        // A heartbeat that read the clock before.
        assertThat(own.renew(99, 100, true)).isEmpty();
        Attempt released = held();
        released.remover(false);
        assertThat(released.renew(10, 100, true)).isEmpty();
    }

    @Test
    void holdThatWasRenewed_isNotOverdue() {
        Attempt own = held();
        assertThat(own.renew(99, 100, true)).hasValue(199);
        assertThat(own.endIfOverdue(100)).isFalse();
        assertThat(own.renew(199, 100, true)).isEmpty();
        assertThat(own.endIfOverdue(199)).isTrue();
        assertThat(own.hasFailed()).isTrue();
    }

    @Test
    void delayThatIsToStay_staysWhateverComesAfter() {
        Attempt own = held();
        assertThat(own.endIfOverdue(100)).isTrue();
        assertThat(own.remover(true)).isTrue();
        assertThat(own.remover(false)).as("a late release").isTrue();
    }

    @Test
    void removalWithoutAnswer_isStranded_untilItIsSentAgain() {
        Attempt own = held();
        own.remover(false);
        assertThat(own.isStranded()).isFalse();
        own.left(false);
        assertThat(own.isStranded()).isTrue();
        own.remover(false);
        assertThat(own.isStranded()).isFalse();
        own.left(true);
        assertThat(own.isUnanswered()).isTrue();
    }
}
