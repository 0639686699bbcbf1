package dev.baton.tck.sim;

import dev.baton.BatonEvent;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.HoldRequest;
import dev.baton.internal.engine.Outbox;
import dev.baton.internal.engine.Releasing;
import dev.baton.internal.engine.Waiter;
import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A caller that repeatedly acquires a lock in all possible ways. It holds the lock for a while, writes to the protected
 * resource (sometimes without checking that it still may), and releases.
 */
final class SimCaller {
    private static final int PERMITS = 3;

    private final Witness witness;
    private final Scribe scribe;
    private final SimClient client;
    private final World world;
    private final Scenario scenario;
    private final int lockDelayMillis;
    private final String label;
    private boolean waiting;

    SimCaller(
            Witness witness,
            NoteWitness notes,
            SimClient client,
            World world,
            Scenario scenario,
            int lockDelayMillis,
            String label) {
        this.witness = witness;
        this.scribe = new Scribe(notes, client, world);
        this.client = client;
        this.world = world;
        this.scenario = scenario;
        this.lockDelayMillis = lockDelayMillis;
        this.label = label;
    }

    boolean isWaiting() {
        return waiting && !client.isDead();
    }

    void start() {
        client.later(world.millis(0, 20), this::ask);
    }

    private void ask() {
        if (scenario.isOver(world)) {
            return;
        }
        boolean tryOnly = world.chance(0.1);
        long patience = world.chance(0.3) ? world.millis(1, Scenario.LEASE_MILLIS * 2) : 0;
        Resource resource = anyResource();
        Asking asking = new Asking(request(resource), tryOnly, patience > 0);
        waiting = true;
        client.step(out -> client.engine.acquire(resource, asking, out));
        if (patience > 0) {
            client.later(
                    patience, () -> client.step(out -> client.engine.giveUp(asking, BatonEvent.Reason.TIMED_OUT, out)));
        }
    }

    /** With shares, the first name is a semaphore, the second a read-write lock, and the others are locks. */
    private Resource anyResource() {
        int number = world.random.nextInt(scenario.names());
        if (scenario.shares() && number == 0) {
            return new Resource("permits-0", Kind.SEMAPHORE, PERMITS);
        }
        if (scenario.shares() && number == 1) {
            return new Resource("pages-1", Kind.READ_WRITE, Integer.MAX_VALUE);
        }
        return Resource.lock("lock-" + number);
    }

    private HoldRequest request(Resource resource) {
        boolean explicit = world.chance(0.2);
        long lease = explicit ? world.millis(40, 2 * Scenario.LEASE_MILLIS) : Scenario.LEASE_MILLIS * World.MILLI;
        long maxHold = world.chance(0.1) ? maxHold(resource) : 0;
        long lockDelay = lockDelayMillis * World.MILLI;
        boolean reads = resource.kind() == Kind.READ_WRITE && world.chance(0.7);
        int weight = weight(resource, reads);
        return new HoldRequest(weight, reads, lease, explicit, maxHold, lockDelay, false, atLeast(resource, weight));
    }

    /** Only what no other can hold is kept for a time. */
    private long atLeast(Resource resource, int weight) {
        return scenario.shares() && !resource.isSharedAt(weight) && world.chance(0.2)
                ? world.millis(20, 1.5 * Scenario.LEASE_MILLIS)
                : 0;
    }

    /** Callers share a hold only on the same terms. */
    private long maxHold(Resource resource) {
        return resource.kind() == Kind.READ_WRITE
                ? Scenario.LEASE_MILLIS * World.MILLI / 2
                : world.millis(20, Scenario.LEASE_MILLIS);
    }

    private int weight(Resource resource, boolean reads) {
        return switch (resource.kind()) {
            case LOCK -> 1;
            case READ_WRITE -> reads ? 1 : resource.capacity();
            case SEMAPHORE -> 1 + world.random.nextInt(2);
        };
    }

    private void settled(Waiter.@Nullable Outcome outcome, long keptUntilNanos) {
        waiting = false;
        if (outcome instanceof Waiter.Got got) {
            hold(got.grant(), keptUntilNanos);
        } else {
            client.later(world.millis(1, 30), this::ask);
        }
    }

    private void hold(Grant grant, long keptUntilNanos) {
        witness.believes(grant, label);
        boolean[] told = new boolean[1];
        client.step(out -> client.engine.onLoss(grant, cause -> told[0] = true, out));
        // The resource must learn the token before the holder works. Otherwise an older write could still be accepted.
        write(grant);
        if (scenario.notes()) {
            scribe.holds(grant);
        }
        boolean careless = world.chance(0.2);
        int writes = world.random.nextInt(4);
        long at = 0;
        for (int i = 0; i < writes; i++) {
            at += world.millis(0, Scenario.LEASE_MILLIS * 0.4);
            client.later(at, () -> {
                if (careless || grant.isHeld()) {
                    write(grant);
                }
            });
        }
        if (grant.isWriter() && world.chance(0.4)) {
            client.later(at + world.millis(0, 20), () -> downgrade(grant));
        }
        long end = at + world.millis(0, Scenario.LEASE_MILLIS * 0.5);
        client.later(end, () -> release(grant, told, keptUntilNanos));
    }

    private void downgrade(Grant grant) {
        if (grant.isHeld()) {
            witness.reads(grant);
            client.step(out -> client.engine.downgrade(grant, out));
        }
    }

    private void write(Grant grant) {
        world.in(world.millis(0.1, 2), () -> witness.write(grant));
    }

    private void release(Grant grant, boolean[] told, long keptUntilNanos) {
        if (grant.loss() != null) {
            client.later(World.MILLI, () -> witness.checkTold(grant, told[0]));
        }
        witness.stopsBelieving(grant);
        Outbox out = new Outbox();
        Releasing releasing = new Releasing(null);
        boolean writer = !grant.isShared();
        client.engine.release(grant, releasing, out);
        out.flush(client);
        if (writer) {
            witness.released(grant, releasing, keptUntilNanos);
        }
        long rest = world.chance(0.3) ? 0 : world.millis(0, 40);
        client.later(rest, this::ask);
    }

    private final class Asking extends Waiter {
        Asking(HoldRequest request, boolean tryOnly, boolean timed) {
            super(request, tryOnly, timed, null, null);
        }

        @Override
        protected String description() {
            return label;
        }

        @Override
        protected void settled() {
            if (outcome() instanceof Waiter.Got got) {
                witness.checkHeld(got.grant());
            }
            long keptUntil = world.nanos() + request.atLeastNanos();
            client.later(0, () -> SimCaller.this.settled(outcome(), keptUntil));
        }
    }
}
