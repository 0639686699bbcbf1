package dev.baton.tck.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * What thousands of clients ask of a server, in counts: docs/scale.md says the same in words.
 * {@code -Dbaton.nightly=true} has more clients.
 */
class CrowdTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final int CLIENTS = Boolean.getBoolean("baton.nightly") ? 10_000 : 3_000;

    /** Three heartbeats in a lease of 30 s, a little early because clocks drift. */
    private static final double CALLS_OF_A_HOLDER = 6.2;

    private static void print(String what, Crowd crowd) {
        System.out.println(what + ": " + crowd.calls() + " calls, " + crowd.mostInASecond() + " in the busiest second");
    }

    private static Crowd holders() {
        Crowd crowd = new Crowd(CLIENTS, true, 1);
        crowd.clients().forEach(client -> crowd.ask(client, "own " + client, AT_ONCE));
        return crowd;
    }

    @Test
    void clientsThatHaveReleased_askForNothing() {
        Crowd crowd = holders();
        crowd.run(Duration.ofSeconds(1));
        crowd.clients().forEach(client -> crowd.release());
        crowd.run(Duration.ofSeconds(1));
        assertThat(crowd.calls()).isEqualTo(CLIENTS);
        crowd.run(MINUTE);
        assertThat(crowd.calls()).isZero();
    }

    @Test
    void clientsThatBeginAtOnce_spreadTheirHeartbeats() {
        Crowd crowd = holders();
        crowd.run(MINUTE);
        crowd.run(MINUTE.multipliedBy(3));
        print(CLIENTS + " clients with a lock each, 3 minutes", crowd);
        assertThat(crowd.held()).isEqualTo(CLIENTS);
        assertThat(crowd.calls() / 3.0 / CLIENTS).isBetween(5.9, CALLS_OF_A_HOLDER + 0.2);
        assertThat(crowd.mostInASecond()).isLessThan(CLIENTS / 4);
    }

    @Test
    void clientsThatHadNoServer_spreadTheirHeartbeatsAfterwards() {
        Crowd crowd = holders();
        crowd.run(MINUTE);
        crowd.runWithoutServer(Duration.ofSeconds(12));
        crowd.run(Duration.ofSeconds(2));
        crowd.run(MINUTE);
        print("the minute after " + CLIENTS + " clients were without a server for 12 seconds", crowd);
        assertThat(crowd.held()).isEqualTo(CLIENTS);
        assertThat(crowd.mostInASecond()).isLessThan(CLIENTS / 3);
    }

    @Test
    void clientsThatReconnectAtOnce_askAtOnce_andSpreadTheirNextHeartbeats() {
        Crowd crowd = holders();
        crowd.run(MINUTE);
        crowd.reconnect();
        crowd.run(Duration.ofSeconds(1));
        assertThat(crowd.calls()).as("to learn what is left is urgent").isGreaterThanOrEqualTo(CLIENTS);
        crowd.run(MINUTE);
        print("the minute after " + CLIENTS + " clients have reconnected", crowd);
        assertThat(crowd.mostInASecond()).isLessThan(CLIENTS / 3);
    }

    @Test
    void leasesOfOneClient_goTogether() {
        Crowd one = new Crowd(1, true, 1);
        for (int i = 0; i < 1_000; i++) {
            one.ask(0, "own " + i, Duration.ofSeconds(2));
        }
        one.run(MINUTE);
        one.run(MINUTE.multipliedBy(10));
        print("one client with 1,000 locks, 10 minutes", one);
        assertThat(one.held()).isEqualTo(1_000);
        assertThat(one.calls() / 10.0).isLessThan(5 * CALLS_OF_A_HOLDER);
    }

    @Test
    void waitersThatArePushed_showThatTheyAreThere() {
        Crowd crowd = waiters(1_000, true);
        print("1,000 clients wait for one lock, and are told; a minute", crowd);
        assertThat(crowd.calls()).isLessThan(19_000);
        assertHandOver(crowd);
    }

    @Test
    void waitersThatAsk_askMoreOftenAtTheFront() {
        Crowd crowd = waiters(1_000, false);
        print("1,000 clients wait for one lock, and ask; a minute", crowd);
        assertThat(crowd.calls()).isBetween(2L * 60 * 1_000, 2L * 60 * 1_000 + 40_000);
        assertHandOver(crowd);
    }

    private static Crowd waiters(int count, boolean pushes) {
        Crowd crowd = new Crowd(count, pushes, 1);
        crowd.clients().forEach(client -> crowd.ask(client, "one", Duration.ofSeconds(5)));
        crowd.run(MINUTE);
        crowd.run(MINUTE);
        return crowd;
    }

    /** A release is followed by the next holder, and by no burst of the others. */
    private static void assertHandOver(Crowd crowd) {
        crowd.run(Duration.ofSeconds(1));
        long before = crowd.calls();
        crowd.release();
        crowd.run(Duration.ofSeconds(1));
        assertThat(crowd.held()).isOne();
        assertThat(crowd.calls()).isLessThan(before + before / 4 + 10);
    }
}
