package dev.baton.tck.sim;

/** Makes the scenario's faults happen, at random times. */
final class Mischief {
    private static final int LEASE = Scenario.LEASE_MILLIS;

    private final Cluster cluster;
    private final World world;
    private final Scenario scenario;
    private boolean failedOver;

    Mischief(Cluster cluster, World world, Scenario scenario) {
        this.cluster = cluster;
        this.world = world;
        this.scenario = scenario;
    }

    void start() {
        every(120, Fault.PAUSE, () -> anyClient().pause(world.millis(1, 3 * LEASE)));
        every(200, Fault.SLEEP, () -> anyClient().sleep(world.millis(1, 3 * LEASE)));
        every(300, Fault.CRASH, this::crash);
        every(200, Fault.CLIENT_CLOCK_STEP, () -> anyClient().stepWallClock(signed(3 * LEASE)));
        every(250, Fault.SERVER_PAUSE, () -> cluster.server().pauseUntil(world.nanos() + world.millis(1, 2 * LEASE)));
        every(400, Fault.SERVER_CLOCK_BACK, () -> cluster.server().stepClock(-world.random.nextInt(2 * LEASE)));
        every(400, Fault.SERVER_CLOCK_FORWARD, () -> cluster.server().stepClock(world.random.nextInt(2 * LEASE)));
        boolean failsOver =
                scenario.has(Fault.FAILOVER) || scenario.has(Fault.LOST_TAIL) || scenario.has(Fault.OLD_PRIMARY);
        if (failsOver || scenario.confirms()) {
            world.in(world.millis(0, lag()), this::replicate);
        }
        if (failsOver) {
            world.in(world.millis(200, scenario.faultMillis() - 200), this::failOver);
        }
    }

    private void every(int meanMillis, Fault fault, Runnable deed) {
        if (scenario.has(fault)) {
            world.in(world.millis(0, 2 * meanMillis), () -> {
                if (!scenario.isOver(world)) {
                    deed.run();
                    every(meanMillis, fault, deed);
                }
            });
        }
    }

    private SimClient anyClient() {
        return cluster.client(world.random.nextInt(scenario.clients()));
    }

    private int signed(int limit) {
        return world.random.nextInt(2 * limit) - limit;
    }

    private void crash() {
        int index = world.random.nextInt(scenario.clients());
        cluster.client(index).die();
        cluster.bear(index);
    }

    /** Keeps a replica that lags behind. Servers that wait for it need it after a failover, too. */
    private void replicate() {
        if (!failedOver || scenario.confirms()) {
            cluster.server().replicate();
            world.in(world.millis(1, lag()), this::replicate);
        }
    }

    /** Returns the longest lag, in milliseconds. Servers that wait for their replica would often give up at a longer one. */
    private int lag() {
        return scenario.confirms() ? 20 : 50;
    }

    private void failOver() {
        failedOver = true;
        if (scenario.has(Fault.OLD_PRIMARY)) {
            cluster.split();
            world.in(world.millis(20, 3 * LEASE), cluster::unite);
        }
        cluster.failOver(scenario.has(Fault.FAILOVER) ? signed(5) : 0);
    }
}
