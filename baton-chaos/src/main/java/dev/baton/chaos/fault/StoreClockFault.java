package dev.baton.chaos.fault;

import dev.baton.chaos.history.HostTime;
import dev.baton.servers.clock.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The wall clock by which a store ends leases is set, and stays so: to set it right again would be the other fault.
 *
 * @param id its name
 * @param where whose clock it is
 * @param clock the clock
 * @param forward whether it is set forward
 */
public record StoreClockFault(String id, String where, SettableClock clock, boolean forward) implements Fault {
    /** The clock of the machine on which the clients of a store without a server are. */
    public static final String MACHINE = "machine";

    /** The clock of the server. */
    public static final String SERVER = "server";

    private static final String BACK = "-clock-back";
    private static final String FORWARD = "-clock-forward";

    /** Returns the names of both faults of a clock. */
    public static List<String> ids(String whose) {
        return List.of(whose + BACK, whose + FORWARD);
    }

    /** Returns both faults of a clock. */
    public static List<Fault> both(String whose, String where, SettableClock clock) {
        return List.of(
                new StoreClockFault(whose + BACK, where, clock, false),
                new StoreClockFault(whose + FORWARD, where, clock, true));
    }

    @Override
    public Scope scope() {
        return Scope.SERVER;
    }

    @Override
    public Damage damage() {
        return forward ? Damage.ENDS_LEASES : Damage.NONE;
    }

    /** A lease lasts longer by each step back: of a client that has died, too, so such steps are small. */
    private Duration step(Stage stage, SplittableRandom random) {
        return forward ? Steps.any(random) : stage.leases(0.2, 1.5, random).negated();
    }

    @Override
    public Effects happen(Stage stage, SplittableRandom random) throws Exception {
        Duration step = step(stage, random);
        long before = clock.shiftedReads();
        clock.set(clock.ahead().plus(step));
        HostTime.sleep(stage.leases(0.3, 2, random));
        return new Effects(where + " by " + step.toMillis() + " ms", clock.shiftedReads() - before);
    }
}
