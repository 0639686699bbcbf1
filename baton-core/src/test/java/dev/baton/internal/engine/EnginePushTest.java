package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Forged pushes: without the ticket's secret they have no effect. */
class EnginePushTest extends EngineCase {
    private static final HoldRequest RENEWED = InlineDriver.RENEWED;
    private static final int FORGERIES = 100_000;

    private void push(long attempt, long token, long secret) {
        long now = driver.storeMicros();
        step(out -> driver.engine.onPush(new Push("a", attempt, token, now + 30_000_000, now, "run", secret), out));
    }

    @Test
    void forgedPushes_ofEveryForm_areNeitherBelievedNorAReasonToAsk() {
        long token = driver.holdElsewhere("a");
        Caller caller = ask("a", RENEWED, false);
        long before = driver.commands;
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < FORGERIES; i++) {
            long secret = 2 + random.nextLong(Long.MAX_VALUE - 2);
            push(random.nextInt(4), random.nextBoolean() ? Protocol.MAX_STORE_TOKEN : token + 1, secret);
        }
        push(1, token + 1, 0);
        assertThat(caller.outcome()).isNull();
        assertThat(driver.commands).isEqualTo(before);
        assertThat(driver.engine.forgedPushes()).isGreaterThan(FORGERIES / 8);
        driver.releaseElsewhere("a", token);
        passByTimers(2 * SECOND);
        assertThat(Objects.requireNonNull(caller.grant()).token())
                .isLessThan(Protocol.MAX_STORE_TOKEN * Protocol.LOCAL_TOKENS);
    }

    @Test
    void push_withTheSecret_isBelievedAtOnce() {
        long token = driver.holdElsewhere("a");
        Caller caller = ask("a", RENEWED, false);
        driver.releaseElsewhere("a", token);
        push(1, token + 1, 1);
        assertThat(caller.heldWhenTold).isTrue();
        assertThat(driver.commands).isEqualTo(1);
    }

    @Test
    void push_withTheSecretAndAnImpossibleToken_isOnlyAReasonToAsk() {
        long token = driver.holdElsewhere("a");
        Caller caller = ask("a", RENEWED, false);
        push(1, Protocol.MAX_STORE_TOKEN, 1);
        assertThat(caller.outcome()).isNull();
        driver.releaseElsewhere("a", token);
        passByTimers(MILLI);
        assertThat(Objects.requireNonNull(caller.grant()).token())
                .isLessThan(Protocol.MAX_STORE_TOKEN * Protocol.LOCAL_TOKENS);
    }

    @Test
    void forgedPush_beforeTheAnswerToTheAcquire_doesNotReplaceTheTrueOne() {
        long token = driver.holdElsewhere("a");
        ArrayDeque<Command> held = new ArrayDeque<>();
        driver.held = held;
        Caller caller = ask("a", RENEWED, false);
        driver.held = null;
        driver.perform(held.remove(), () -> {
            driver.releaseElsewhere("a", token);
            push(1, token + 1, 1);
            push(1, token + 9, 77);
        });
        assertThat(caller.heldWhenTold).isTrue();
        assertThat(Objects.requireNonNull(caller.grant()).token() / Protocol.LOCAL_TOKENS)
                .isEqualTo(token + 1);
    }
}
