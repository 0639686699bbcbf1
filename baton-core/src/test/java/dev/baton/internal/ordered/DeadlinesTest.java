package dev.baton.internal.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private static final long NOTHING = Long.MAX_VALUE;

    private final List<Long> planned = new ArrayList<>();
    private final Deadlines deadlines = new Deadlines(planned::add);

    private static Attempt waiting(long number, long until) {
        Attempt own = new Attempt(
                "ab".repeat(16),
                new Acquire(Resource.lock("x"), CommandNumber.of(number), 1, 100, 0, "test", Acquire.Mode.QUEUE, 1));
        Entry entry = new Entry("x", own.label, "/x/" + number);
        own.joined(
                new OrderedServer.Joined(new OrderedServer.Noted(entry, 7, 0, own.notes), "session", List.of(entry)),
                until);
        return own;
    }

    @Test
    void overdueAttempts_endInOrder_once() {
        Attempt later = waiting(1, 60);
        Attempt sooner = waiting(2, 50);
        Attempt same = waiting(3, 60);
        List.of(later, sooner, same).forEach(deadlines::watch);
        assertThat(planned).containsExactly(60L, 50L, 60L);
        assertThat(deadlines.nextMicros()).isEqualTo(50);
        assertThat(deadlines.endOverdue(49)).isEmpty();
        assertThat(deadlines.endOverdue(60)).containsExactly(sooner, later, same);
        assertThat(deadlines.nextMicros()).isEqualTo(NOTHING);
    }

    @Test
    void renewedHold_isLookedAtAgain_atItsNewDeadline() {
        Attempt own = waiting(1, 50);
        deadlines.watch(own);
        own.hold(7, 100, true, 0);
        deadlines.watch(own);
        assertThat(planned).as("looked at earlier anyway").containsExactly(50L);
        assertThat(deadlines.endOverdue(50)).isEmpty();
        assertThat(deadlines.nextMicros()).isEqualTo(100);
        own.renew(90, 100, true);
        assertThat(deadlines.endOverdue(100)).isEmpty();
        assertThat(deadlines.endOverdue(190)).containsExactly(own);
        assertThat(own.hasFailed()).isTrue();
    }

    @Test
    void grant_whoseClaimEndsBeforeTheTicketWould_isLookedAtInTime() {
        Attempt own = waiting(1, 500);
        deadlines.watch(own);
        own.hold(7, 100, false, 0);
        deadlines.watch(own);
        assertThat(planned).containsExactly(500L, 100L);
        assertThat(deadlines.endOverdue(100)).containsExactly(own);
        assertThat(deadlines.nextMicros()).isEqualTo(NOTHING);
    }

    @Test
    void attemptThatIsGone_isForgotten_alsoIfItsGrantComesLate() {
        Attempt own = waiting(1, 500);
        deadlines.watch(own);
        deadlines.forget(own);
        deadlines.watch(own);
        assertThat(deadlines.nextMicros()).isEqualTo(NOTHING);
        assertThat(deadlines.endOverdue(NOTHING)).isEmpty();
    }
}
