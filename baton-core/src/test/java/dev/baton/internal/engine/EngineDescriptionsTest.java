package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.BatonEvent;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The store is told in time who has a hold and who waits, also if that is another caller of this client than before. */
class EngineDescriptionsTest extends EngineCase {
    private static final Resource LOCK = Resource.lock("a");
    private static final Resource PAGES = new Resource("pages", Kind.READ_WRITE, Integer.MAX_VALUE);
    private static final HoldRequest RENEWED = new HoldRequest(1, false, 30 * SECOND, false, 0, 0, false, 0);
    private static final HoldRequest READER = new HoldRequest(1, true, 30 * SECOND, false, 0, 0, false, 0);

    /** More than the engine takes to tell, and less than any other heartbeat of these holds and tickets takes. */
    private static final long SOON = EngineSettings.DESCRIBE_NANOS + 50 * MILLI;

    private Caller ask(Resource resource, HoldRequest request, String who) {
        return ask(resource, new Caller(request, false, true).describedAs(who));
    }

    private Grant grant(Caller caller) {
        return Objects.requireNonNull(caller.grant());
    }

    private ResourceView view(Resource resource) {
        return driver.machine.inspect(resource.name(), driver.storeMicros()).orElseThrow();
    }

    private List<String> holders(Resource resource) {
        return view(resource).holds().stream()
                .map(ResourceView.Hold::description)
                .toList();
    }

    private List<String> waiters(Resource resource) {
        return view(resource).tickets().stream()
                .map(ResourceView.Ticket::description)
                .toList();
    }

    private void holdElsewhere() {
        driver.machine.acquire(
                "other",
                new Acquire(LOCK, CommandNumber.of(1), 1, 60_000_000, 0, "elsewhere", Acquire.Mode.TRY, 0),
                driver.storeMicros(),
                (client, push) -> {});
    }

    @Test
    void holdThatWasPassedOn_isDescribedAnew() {
        Caller first = ask(LOCK, RENEWED, "first");
        Caller second = ask(LOCK, RENEWED, "second");
        release(grant(first));
        assertThat(second.grant()).isNotNull();
        assertThat(holders(LOCK)).containsExactly("first");
        passByTimers(SOON);
        assertThat(holders(LOCK)).containsExactly("second");
        assertThat(told(BatonEvent.Type.RENEWED)).isEmpty();
    }

    @Test
    void holdThatKeepsItsCaller_costsNothing() {
        ask(LOCK, RENEWED, "first");
        long before = driver.commands;
        passByTimers(4 * SECOND);
        assertThat(driver.commands).isEqualTo(before);
    }

    @Test
    void holdThatIsPassedOnFast_costsNoHeartbeatForEachCaller() {
        long alike = commandsOfFiftyPasses("alike-", "");
        long different = commandsOfFiftyPasses("different-", "caller ");
        assertThat(different - alike).isBetween(0L, 1L);
    }

    /** Passes a hold on every 10 ms, and keeps it then. */
    private long commandsOfFiftyPasses(String name, String who) {
        Resource lock = Resource.lock(name);
        Caller present = ask(lock, RENEWED, who);
        long before = driver.commands;
        for (int i = 1; i <= 50; i++) {
            Caller next = ask(lock, RENEWED, who.isEmpty() ? who : who + i);
            passByTimers(10 * MILLI);
            release(grant(present));
            present = next;
        }
        passByTimers(SOON);
        assertThat(holders(lock)).containsExactly(who.isEmpty() ? who : who + 50);
        long commands = driver.commands - before;
        release(grant(present));
        return commands;
    }

    @Test
    void ticketThatWasInherited_isDescribedAnew() {
        holdElsewhere();
        Caller first = ask(LOCK, RENEWED, "first");
        Caller second = ask(LOCK, RENEWED, "second");
        assertThat(waiters(LOCK)).containsExactly("first");
        step(out -> driver.engine.giveUp(first, BatonEvent.Reason.TIMED_OUT, out));
        assertThat(second.outcome()).isNull();
        assertThat(waiters(LOCK)).containsExactly("first");
        passByTimers(SOON);
        assertThat(waiters(LOCK)).containsExactly("second");
    }

    /** The first answer to a ticket's new description is lost: it is told again. */
    @Test
    void ticketWhoseHeartbeatFails_isDescribedByTheNextOne() {
        holdElsewhere();
        Caller first = ask(LOCK, RENEWED, "first");
        ask(LOCK, RENEWED, "second");
        step(out -> driver.engine.giveUp(first, BatonEvent.Reason.TIMED_OUT, out));
        driver.silent = true;
        long before = driver.commands;
        passByTimers(SOON);
        assertThat(waiters(LOCK)).containsExactly("first");
        assertThat(driver.commands - before).as("not asked again and again").isLessThan(5);
        driver.silent = false;
        passByTimers(2 * SECOND);
        assertThat(waiters(LOCK)).containsExactly("second");
    }

    @Test
    void sharedHold_isDescribedByACallerThatHasItStill() {
        Caller first = ask(PAGES, READER, "first");
        Caller second = ask(PAGES, READER, "second");
        passByTimers(SOON);
        assertThat(holders(PAGES)).containsExactly("first");
        release(grant(first));
        passByTimers(SOON);
        assertThat(grant(second).isHeld()).isTrue();
        assertThat(holders(PAGES)).containsExactly("second");
    }
}
