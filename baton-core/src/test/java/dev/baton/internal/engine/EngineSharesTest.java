package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.BatonException;
import dev.baton.LossCause;
import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Several holds of one client under one name, holds that callers share, and names that stand for something else. */
class EngineSharesTest extends EngineCase {
    private static final Resource PERMITS = new Resource("permits", Kind.SEMAPHORE, 3);
    private static final Resource PAGES = new Resource("pages", Kind.READ_WRITE, Integer.MAX_VALUE);
    private static final HoldRequest READER = request(1, true);
    private static final HoldRequest WRITER = request(Integer.MAX_VALUE, false);

    private static HoldRequest request(int weight, boolean shared) {
        return new HoldRequest(weight, shared, 30 * SECOND, false, 0, 0, false);
    }

    private Caller ask(Resource resource, HoldRequest request, boolean tryOnly) {
        return ask(resource, new Caller(request, tryOnly, true));
    }

    private static Grant grantOf(Caller caller) {
        return Objects.requireNonNull(caller.grant());
    }

    @Test
    void permits_areHeldBesideEachOther_upToTheCapacity() {
        Caller first = ask(PERMITS, request(1, false), false);
        Caller second = ask(PERMITS, request(2, false), false);
        Caller third = ask(PERMITS, request(1, false), false);
        assertThat(grantOf(first).token()).isNotEqualTo(grantOf(second).token());
        assertThat(third.grant()).isNull();
        release(grantOf(second));
        passUntilGranted(third);
        assertThat(grantOf(first).isHeld()).isTrue();
        release(grantOf(first));
        release(grantOf(third));
        passByTimers(SECOND);
        assertThat(driver.engine.size()).isZero();
        assertThat(driver.machine.size(driver.storeMicros())).isZero();
    }

    @Test
    void permit_thatComesFree_goesToTheNextCallerHere_whoseTicketIsGivenBack() {
        Caller all = ask(PERMITS, request(3, false), false);
        Caller next = ask(PERMITS, request(3, false), false);
        assertThat(driver.machine
                        .inspect("permits", driver.storeMicros())
                        .orElseThrow()
                        .tickets())
                .hasSize(1);
        release(grantOf(all));
        assertThat(grantOf(next).token()).isEqualTo(grantOf(all).token() + 1);
        assertThat(driver.machine
                        .inspect("permits", driver.storeMicros())
                        .orElseThrow()
                        .tickets())
                .isEmpty();
    }

    @Test
    void tryForPermits_asksTheStore_thoughSomeAreHeldHere() {
        ask(PERMITS, request(2, false), false);
        assertThat(ask(PERMITS, request(1, false), true).grant()).isNotNull();
        assertThat(ask(PERMITS, request(1, false), true).outcome()).isInstanceOf(Waiter.Busy.class);
    }

    @Test
    void tryForWhatCannotFitBesideWhatIsHeldHere_doesNotAskTheStore() {
        ask(PERMITS, request(2, false), false);
        Caller writer = ask(PAGES, WRITER, false);
        long before = driver.commands;
        assertThat(ask(PERMITS, request(2, false), true).outcome()).isInstanceOf(Waiter.Busy.class);
        assertThat(ask(PAGES, READER, true).outcome()).isInstanceOf(Waiter.Busy.class);
        assertThat(ask(PAGES, WRITER, true).outcome()).isInstanceOf(Waiter.Busy.class);
        assertThat(driver.commands).isEqualTo(before);
        release(grantOf(writer));
        assertThat(ask(PAGES, READER, true).grant()).isNotNull();
    }

    @Test
    void readersOfOneClient_shareAHold_withoutAskingTheStore() {
        Caller first = ask(PAGES, READER, false);
        long before = driver.commands;
        Caller second = ask(PAGES, READER, true);
        assertThat(driver.commands).isEqualTo(before);
        assertThat(grantOf(second).token()).isEqualTo(grantOf(first).token());
        release(grantOf(first));
        assertThat(grantOf(second).isHeld()).isTrue();
        assertThat(driver.commands).isEqualTo(before);
        release(grantOf(second));
        assertThat(driver.engine.size()).isZero();
    }

    @Test
    void thousandReadersOfOneClient_haveOneHold_andOnlyTheFirstAsksTheStore() {
        Caller first = ask(PAGES, READER, false);
        long before = driver.commands;
        for (int i = 1; i < 1_000; i++) {
            assertThat(grantOf(ask(PAGES, READER, false)).token())
                    .isEqualTo(grantOf(first).token());
        }
        assertThat(driver.commands).isEqualTo(before);
        assertThat(driver.machine
                        .inspect("pages", driver.storeMicros())
                        .orElseThrow()
                        .holds())
                .hasSize(1);
    }

    @Test
    void reader_thatComesAfterAWriter_waitsBehindIt() {
        Caller reader = ask(PAGES, READER, false);
        Caller writer = ask(PAGES, WRITER, false);
        Caller late = ask(PAGES, READER, false);
        assertThat(late.grant()).isNull();
        release(grantOf(reader));
        passUntilGranted(writer);
        assertThat(late.grant()).isNull();
        release(grantOf(writer));
        passUntilGranted(late);
        assertThat(grantOf(late).token()).isGreaterThan(grantOf(writer).token());
    }

    @Test
    void lossOfASharedHold_isToldToEachThatHasIt() {
        Caller first = ask(PAGES, READER, false);
        Caller second = ask(PAGES, READER, false);
        driver.machine.forceRelease(
                "pages", grantOf(first).token() / 256, true, driver.storeMicros(), (client, push) -> {});
        passByTimers(11 * SECOND);
        assertThat(grantOf(first).loss()).isEqualTo(LossCause.REVOKED);
        assertThat(grantOf(second).loss()).isEqualTo(LossCause.REVOKED);
    }

    @Test
    void readerWhoseTimeIsOver_doesNotEndTheHoldOfTheOthers() {
        HoldRequest limited = new HoldRequest(1, true, 30 * SECOND, false, 5 * SECOND, 0, false);
        Caller first = ask(PAGES, limited, false);
        // Others come and go, so the client knows all the time that no other client waits.
        for (int i = 0; i < 100; i++) {
            driver.nanos += 20 * MILLI;
            step(driver.engine::tick);
            release(grantOf(ask(PAGES, limited, false)));
        }
        Caller second = ask(PAGES, limited, false);
        assertThat(grantOf(second).token()).isEqualTo(grantOf(first).token());
        passByTimers(3 * SECOND + 100 * MILLI);
        assertThat(grantOf(first).loss()).isEqualTo(LossCause.EXPIRED);
        release(grantOf(first));
        assertThat(grantOf(second).isHeld()).isTrue();
        assertThat(driver.machine
                        .inspect("pages", driver.storeMicros())
                        .orElseThrow()
                        .holds())
                .hasSize(1);
    }

    @Test
    void abandonedReader_doesNotEndTheRenewalForTheOthers() {
        Caller first = ask(PAGES, READER, false);
        Caller second = ask(PAGES, READER, false);
        step(out -> driver.engine.abandoned(grantOf(first), out));
        passByTimers(60 * SECOND);
        assertThat(grantOf(second).isHeld()).isTrue();
        step(out -> driver.engine.abandoned(grantOf(second), out));
        passByTimers(60 * SECOND);
        assertThat(grantOf(second).loss()).isEqualTo(LossCause.EXPIRED);
    }

    @Test
    void nameThatIsHeldHere_asSomethingElse_isRefused() {
        ask("permits", InlineDriver.RENEWED, false);
        Caller other = ask(PERMITS, request(1, false), false);
        assertThat(other.outcome())
                .isInstanceOfSatisfying(
                        Waiter.Failed.class,
                        failed -> assertThat(failed.reason())
                                .isInstanceOf(BatonException.class)
                                .hasMessageContaining("\"permits\" is in use as a LOCK of capacity 1")
                                .hasMessageContaining("SEMAPHORE of capacity 3"));
    }
}
