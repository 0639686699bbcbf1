package dev.baton.tck.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * One simulated history: a time with faults, then a time without. At the end every caller must have got its lock or
 * stopped waiting, and no record may be left. Not thread-safe; different simulations share nothing.
 */
public final class Simulation {
    /** Long enough for every lease, pause, retry, grace period and clock step to run out. */
    private static final int PEACE_MILLIS = 3_000;

    private final long seed;
    private final Scenario scenario;
    private final World world;
    private final List<String> findings = new ArrayList<>();
    private final Witness witness;
    private final NoteWitness notes;
    private final Cluster cluster;

    private Simulation(long seed, Scenario scenario) {
        this.seed = seed;
        this.scenario = scenario;
        this.world = new World(seed);
        GrantChecker checker = new GrantChecker(findings);
        this.witness = new Witness(world, scenario.serversRemember(), checker, findings);
        this.notes = new NoteWitness(world, findings);
        this.cluster = new Cluster(world, scenario, lockDelayMillis(), checker, witness, notes);
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
        cluster.start();
        new Mischief(cluster, world, scenario).start();
        world.runUntil(scenario.faultMillis() * World.MILLI);
        cluster.heal();
        world.runUntil((scenario.faultMillis() + PEACE_MILLIS) * World.MILLI);
        checkRest();
        cluster.checkNotes("at the end");
        return witness.report(seed, notes.end());
    }

    /** Returns one lock-delay per history. Local hand-off needs equal delays, so this lets it happen. */
    private int lockDelayMillis() {
        return seed % 5 == 0 ? 20 : 0;
    }

    private void checkRest() {
        long waiting = cluster.waiting();
        if (waiting > 0) {
            findings.add(waiting + " callers still wait after " + PEACE_MILLIS + " ms of peace");
        }
        findings.addAll(cluster.remains());
    }
}
