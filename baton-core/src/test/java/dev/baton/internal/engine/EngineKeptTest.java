package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.LossCause;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceView;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Holds that are kept for a time, even if they are released sooner. */
class EngineKeptTest extends EngineCase {
    private static final HoldRequest AT_LEAST = new HoldRequest(1, false, 30 * SECOND, false, 0, 0, false, 10 * SECOND);

    private long restSeconds(String name) {
        return driver.machine
                        .inspect(name, driver.storeMicros())
                        .map(ResourceView::restMicros)
                        .orElse(0L)
                / 1_000_000;
    }

    @Test
    void releasedSooner_isNotPassedOn_beforeTheTimeIsOver() {
        Grant first = acquire("a", AT_LEAST);
        Caller next = ask("a", InlineDriver.RENEWED, false);
        pass(4 * SECOND);
        release(first);
        assertThat(next.grant()).isNull();
        assertThat(restSeconds("a")).isEqualTo(6);
        passByTimers(5 * SECOND);
        assertThat(next.grant()).isNull();
        passByTimers(2 * SECOND);
        assertThat(next.grant()).isNotNull();
    }

    @Test
    void releasedLater_isPassedOnHere() {
        Grant first = acquire("a", AT_LEAST);
        Caller next = ask("a", AT_LEAST, false);
        pass(10 * SECOND);
        long before = driver.commands;
        release(first);
        passByTimers(SECOND);
        assertThat(next.grant()).isNotNull();
        assertThat(driver.commands - before).as("asks who waits, or renews").isLessThanOrEqualTo(2);
        assertThat(driver.machine
                        .inspect("a", driver.storeMicros())
                        .orElseThrow()
                        .holds())
                .hasSize(1);
        // Its time begins with its own grant.
        release(Objects.requireNonNull(next.grant()));
        assertThat(restSeconds("a")).isBetween(9L, 10L);
    }

    @Test
    void unansweredRelease_isRepeated_withTheRestOfTheTime() {
        Grant grant = acquire("a", AT_LEAST);
        driver.refusing = true;
        release(grant);
        pass(2 * SECOND);
        driver.refusing = false;
        passByTimers(2 * SECOND);
        assertThat(driver.machine
                        .inspect("a", driver.storeMicros())
                        .orElseThrow()
                        .holds())
                .isEmpty();
        assertThat(restSeconds("a")).isBetween(5L, 8L);
        passByTimers(9 * SECOND);
        assertThat(driver.machine.size(driver.storeMicros())).isZero();
    }

    @Test
    void closingClient_keepsWhatItHolds_andWhatItsUnansweredReleaseKeeps() {
        acquire("a", AT_LEAST);
        Grant other = acquire("b", AT_LEAST);
        acquire("c", InlineDriver.RENEWED);
        Deque<Command> open = holdAnswersBack();
        release(other);
        assertThat(open).hasSize(1);
        driver.nanos += 4 * SECOND;
        Outbox out = new Outbox();
        Closing closing = driver.engine.close(out);
        List<Release> releases = closing.releases();
        assertThat(releases)
                .allSatisfy(each -> assertThat(each.keepMicros())
                        .isEqualTo(each.resource().name().equals("c") ? 0 : 6_000_000))
                .hasSize(3);
    }

    @Test
    void closeBesideAGrant_thatReadTheClockBefore_keepsNothing() {
        acquire("a", InlineDriver.RENEWED);
        driver.nanos -= MILLI;
        Closing closing = driver.engine.close(new Outbox());
        assertThat(closing.releases())
                .singleElement()
                .satisfies(release -> assertThat(release.keepMicros()).isZero());
    }

    @Test
    void lostHold_isKeptForNobody() {
        Grant grant = acquire("a", AT_LEAST);
        driver.machine.forceRelease("a", grant.token() / 256, false, driver.storeMicros(), (client, push) -> {});
        passByTimers(11 * SECOND);
        assertThat(grant.loss()).isEqualTo(LossCause.REVOKED);
        release(grant);
        assertThat(driver.machine.size(driver.storeMicros())).isZero();
        assertThat(ask("a", InlineDriver.RENEWED, true).grant()).isNotNull();
    }
}
