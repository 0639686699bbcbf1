package dev.baton.internal.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Resource;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The answers and beliefs that need no request to the server. */
class ProofsTest {
    private static final long SECOND = 1_000_000;
    private static final long TRUST = 7_500_000;

    private final AtomicLong clock = new AtomicLong(1_000 * SECOND);
    private final Proofs proofs = new Proofs(server(Duration.ofMillis(7_500)), clock::get, false);

    private static OrderedServer server(Duration trust) {
        return (OrderedServer) Proxy.newProxyInstance(
                OrderedServer.class.getClassLoader(),
                new Class<?>[] {OrderedServer.class},
                (proxy, method, arguments) -> method.getName().equals("trust") ? trust : "session");
    }

    private Attempt waiting() {
        Attempt own = new Attempt(
                "ab".repeat(16),
                new Acquire(Resource.lock("x"), CommandNumber.of(1), 1, 100, 0, "test", Acquire.Mode.QUEUE, 1));
        Entry entry = new Entry("x", own.label, "/x/2");
        own.joined(
                new OrderedServer.Joined(new OrderedServer.Noted(entry, 7, 0, own.notes), "session", List.of(entry)),
                Long.MAX_VALUE);
        own.proved(clock.get());
        return own;
    }

    @Test
    void grant_afterAnAnswerWithoutAProof_isBelievedInFromTheLastProofOn() {
        long proved = clock.get();
        proofs.proved(proved);
        long until = proved + 60 * SECOND;
        assertThat(proofs.believable(until)).as("the last answer was a proof").isEqualTo(until);
        clock.addAndGet(4 * SECOND);
        proofs.answeredQuietly();
        assertThat(proofs.believable(until)).isEqualTo(proved + TRUST);
        assertThat(proofs.believable(proved + SECOND)).isEqualTo(proved + SECOND);
        clock.addAndGet(SECOND);
        proofs.proved(clock.get());
        assertThat(proofs.believable(until)).isEqualTo(until);
    }

    @Test
    void proof_thatWasCalledBeforeAnAnswerWithoutOne_isNotNewer() {
        long called = clock.get();
        clock.addAndGet(SECOND);
        proofs.answeredQuietly();
        proofs.proved(called);
        assertThat(proofs.believable(Long.MAX_VALUE)).isEqualTo(called + TRUST);
    }

    @Test
    void ticket_isAnsweredFromMemory_whileItHears_andWasProvedLately() {
        Attempt own = waiting();
        assertThat(proofs.isQuiet(own)).as("it watches nothing yet").isFalse();
        own.watches("/x/1");
        assertThat(proofs.isQuiet(own)).isTrue();
        clock.addAndGet(5 * SECOND - 1);
        assertThat(proofs.isQuiet(own)).isTrue();
        clock.addAndGet(1);
        assertThat(proofs.isQuiet(own)).isFalse();
        own.proved(clock.get());
        assertThat(proofs.isQuiet(own)).isTrue();
        own.doubt();
        assertThat(proofs.isQuiet(own)).as("after a reconnect").isFalse();
        own.proved(clock.get());
        own.isBlindTo("/x/1");
        assertThat(proofs.isQuiet(own)).as("where it may not watch").isFalse();
    }

    @Test
    void interval_leavesAQuarterOfTheTrust() {
        Proofs ofShortSessions = new Proofs(server(Duration.ofSeconds(2)), clock::get, false);
        Attempt own = waiting();
        own.watches("/x/1");
        clock.addAndGet(1_500_000 - 1);
        assertThat(ofShortSessions.isQuiet(own)).isTrue();
        clock.addAndGet(1);
        assertThat(ofShortSessions.isQuiet(own)).isFalse();
    }
}
