package dev.baton.tck.sim;

import dev.baton.internal.engine.Grant;
import dev.baton.spi.Push;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One simulated history: a time with faults, then a time without. At the end every caller must have got its lock or
 * stopped waiting, and no record may be left. Not thread-safe; different simulations share nothing.
 */
public final class Simulation {
    static final int LEASE_MILLIS = 100;
    private static final int GRACE_MILLIS = 150;
    private static final Timings TIMINGS =
            new Timings(Duration.ofMillis(60), Duration.ofMillis(100), Duration.ofMillis(GRACE_MILLIS));

    /** Long enough for every lease, pause, retry, grace period and clock step to run out. */
    private static final int PEACE_MILLIS = 3_000;

    private record Believer(SimClient client, Grant grant, String label) {}

    private final long seed;
    private final Scenario scenario;
    private final World world;
    private final Network network;
    private final List<String> overlaps = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();
    private final GrantChecker checker = new GrantChecker(findings);
    private final Map<String, FencedResource> resources = new HashMap<>();
    private final List<Believer> believers = new ArrayList<>();
    private final SimClient[] clients;
    private final List<SimCaller> callers = new ArrayList<>();
    private final boolean[] onOldPrimary;
    private SimServer server;
    private SimServer oldPrimary;
    private int born;
    private int handOffs;
    private int losses;

    private Simulation(long seed, Scenario scenario) {
        this.seed = seed;
        this.scenario = scenario;
        this.world = new World(seed);
        this.network = new Network(world, scenario);
        this.server = new SimServer(world, scenario, TIMINGS, checker, this::push);
        this.oldPrimary = server;
        this.clients = new SimClient[scenario.clients()];
        this.onOldPrimary = new boolean[scenario.clients()];
    }

    /**
     * Runs a simulation.
     *
     * @param seed decides all random choices
     * @param scenario its parameters
     * @return the findings
     */
    public static Report run(long seed, Scenario scenario) {
        return new Simulation(seed, scenario).run();
    }

    private Report run() {
        for (int i = 0; i < clients.length; i++) {
            bear(i);
        }
        new Mischief(this, world, scenario).start();
        world.runUntil(scenario.faultMillis() * World.MILLI);
        network.heal();
        world.runUntil((scenario.faultMillis() + PEACE_MILLIS) * World.MILLI);
        checkRest();
        int refused =
                resources.values().stream().mapToInt(FencedResource::refused).sum();
        return new Report(seed, checker.count(), handOffs, losses, refused, overlaps, findings);
    }

    // ---- for callers ---------------------------------------------------------------------------------------------

    String anyName() {
        return "lock-" + world.random.nextInt(scenario.names());
    }

    /** Returns one lock-delay per history. Local hand-off needs equal delays, so this lets it happen. */
    int lockDelayMillis() {
        return seed % 5 == 0 ? 20 : 0;
    }

    boolean isOver() {
        return world.nanos() > scenario.faultMillis() * World.MILLI;
    }

    /** Checks a caller's new grant: no other caller may believe in the same lock now. */
    void believes(SimClient client, Grant grant, String label) {
        handOffs += grant.token() % 256 == 0 ? 0 : 1;
        checker.believed(grant.name(), grant.token());
        believers.removeIf(other -> other.grant().remainingNanos() == 0);
        if (!grant.isHeld()) {
            return;
        }
        for (Believer other : believers) {
            if (other.grant().name().equals(grant.name())) {
                overlaps.add(world.nanos() / World.MILLI + " ms: " + label + " and " + other.label()
                        + " both believe in " + grant.name());
            }
        }
        believers.add(new Believer(client, grant, label));
    }

    /** Checks that a caller woken with a grant holds it at that moment. */
    void checkHeld(Grant grant) {
        if (!grant.isHeld()) {
            findings.add("a caller was given " + grant.name() + " with token " + grant.token() + ", which is not held");
        }
    }

    /** Checks that a loss was told by now, if the holder outlived it. */
    void checkTold(Grant grant, boolean told) {
        if (!told) {
            findings.add("the loss of " + grant.name() + " with token " + grant.token() + " was not told");
        }
    }

    void stopsBelieving(Grant grant) {
        losses += grant.loss() == null ? 0 : 1;
        believers.removeIf(other -> other.grant() == grant);
    }

    void write(Grant grant) {
        resources
                .computeIfAbsent(grant.name(), name -> new FencedResource(findings))
                .write(grant.token(), checker.orderOf(grant.name(), grant.token()));
    }

    // ---- for mischief --------------------------------------------------------------------------------------------

    SimServer server() {
        return server;
    }

    SimClient client(int index) {
        return clients[index];
    }

    int clientCount() {
        return clients.length;
    }

    /** Starts a client process in place of a dead one. */
    void bear(int index) {
        SimClient client = new SimClient(
                "client-" + born++, world, scenario, network, TIMINGS, () -> onOldPrimary[index] ? oldPrimary : server);
        clients[index] = client;
        for (int i = 0; i < scenario.callers(); i++) {
            SimCaller caller = new SimCaller(this, client, world, client.id + "/" + i);
            callers.add(caller);
            caller.start();
        }
    }

    /** Keeps the old server in use for some clients. */
    void split() {
        oldPrimary = server.ghost();
        for (int i = 0; i < onOldPrimary.length; i++) {
            onOldPrimary[i] = world.chance(0.5);
        }
    }

    void unite() {
        Arrays.fill(onOldPrimary, false);
    }

    private void push(String client, Push push) {
        for (SimClient each : clients) {
            if (each != null && each.id.equals(client)) {
                network.push(each, push);
            }
        }
    }

    private void checkRest() {
        long waiting = callers.stream().filter(SimCaller::isWaiting).count();
        if (waiting > 0) {
            findings.add(waiting + " callers still wait after " + PEACE_MILLIS + " ms of peace");
        }
        if (server.size() > 0) {
            findings.add("the server still has " + server.size() + " names");
        }
        for (SimClient client : clients) {
            if (client.engine.size() > 0) {
                findings.add(client.id + " still has state for " + client.engine.size() + " names");
            }
        }
    }
}
