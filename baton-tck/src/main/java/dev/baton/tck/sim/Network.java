package dev.baton.tck.sim;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** Carries messages between clients and servers, with the scenario's faults until it is healed. */
final class Network {
    /** A client process that messages reach. */
    interface Recipient {
        /** Runs an action in this process after a delay, as soon as the process is not paused. */
        void later(long nanos, Runnable action);
    }

    private static final double LOSS = 0.05;
    private static final double DUPLICATION = 0.1;
    private static final double SLOW = 0.1;

    private final World world;
    private final Scenario scenario;
    private boolean healed;

    Network(World world, Scenario scenario) {
        this.world = world;
        this.scenario = scenario;
    }

    void heal() {
        healed = true;
    }

    private boolean spoils(Fault fault, double probability) {
        return !healed && scenario.has(fault) && world.chance(probability);
    }

    private long delay() {
        if (spoils(Fault.DELAY, SLOW)) {
            return world.millis(1, 2 * Scenario.LEASE_MILLIS);
        }
        return spoils(Fault.REORDER, 0.5) ? world.millis(0.1, 15) : world.millis(0.1, 1);
    }

    /** Carries a request. The server in office when it arrives answers it. */
    void toServer(Supplier<SimServer> server, Consumer<SimServer> request) {
        if (!spoils(Fault.LOSS, LOSS)) {
            world.in(delay(), () -> atServer(server, request));
        }
        if (spoils(Fault.DUPLICATION, DUPLICATION)) {
            world.in(delay() + world.millis(1, 2 * Scenario.LEASE_MILLIS), () -> atServer(server, request));
        }
    }

    private void atServer(Supplier<SimServer> server, Consumer<SimServer> request) {
        SimServer present = server.get();
        if (present.pausedUntilNanos() > world.nanos()) {
            world.at(present.pausedUntilNanos(), () -> atServer(server, request));
        } else {
            request.accept(present);
        }
    }

    /** Carries an answer. */
    void toClient(Recipient client, Runnable answer) {
        if (!spoils(Fault.LOSS, LOSS)) {
            client.later(delay(), answer);
        }
    }

    /** Carries a push. Pushes are lost more often than other messages. */
    void push(Recipient client, Runnable receipt) {
        if (!spoils(Fault.LOSS, 3 * LOSS)) {
            client.later(delay(), receipt);
        }
    }
}
