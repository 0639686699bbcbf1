package dev.baton.tck.sim;

import dev.baton.internal.engine.Clock;
import dev.baton.internal.engine.Command;
import dev.baton.internal.engine.Driver;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.EngineSettings;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.HoldRequest;
import dev.baton.internal.engine.Outbox;
import dev.baton.internal.engine.Releasing;
import dev.baton.internal.engine.Waiter;
import dev.baton.internal.memory.MemoryServer;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Push;
import dev.baton.spi.Resource;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Thousands of clients, each with the real engine, on one server without faults, in virtual time: counts the calls that they
 * make. Not thread-safe.
 */
final class Crowd {
    private static final long LEASE_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long STORE_TIMEOUT_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long COMMAND_TIMEOUT_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

    /** How long a call takes to the server, and its answer back. */
    private static final long WAY_NANOS = World.MILLI / 2;

    /** As often as clients must do it at least. */
    private static final long LOOK_NANOS = SECOND_NANOS / 2;

    private final World world;
    private final MemoryServer server;
    private final Capabilities capabilities;
    private final List<Member> members = new ArrayList<>();
    private final List<Grant> granted = new ArrayList<>();
    private long[] callsInSecond = new long[64];
    private long countedFrom;
    private long refusesUntil;

    /**
     * Creates clients that neither hold nor wait.
     *
     * @param clients how many
     * @param pushes whether the server tells waiters of their turns; otherwise they ask for them
     * @param seed decides all random choices
     */
    Crowd(int clients, boolean pushes, long seed) {
        world = new World(seed);
        server = new MemoryServer(Timings.DEFAULTS, "crowd", () -> World.EPOCH_MICROS + world.nanos() / 1_000);
        capabilities = MemoryServer.CAPABILITIES.toBuilder().push(pushes).build();
        for (int i = 0; i < clients; i++) {
            members.add(new Member(String.format("%032x", i + 1), pushes));
        }
    }

    /** Has a client ask for a lock with a lease of 30 s, a random part of this time from now. */
    void ask(int client, String name, Duration within) {
        Member member = members.get(client);
        world.in((long) (world.random.nextDouble() * within.toNanos()), () -> member.ask(name));
    }

    /** Releases the lock that was granted first; its next holder is granted behind all others. */
    void release() {
        Grant grant = granted.remove(0);
        members.stream()
                .filter(member -> member.holds.contains(grant))
                .findFirst()
                .orElseThrow()
                .release(grant);
    }

    /** Returns how many locks are held. */
    int held() {
        return granted.size();
    }

    /** Lets time pass in which the server refuses every call; only its end is noticed, by calls that succeed. */
    void runWithoutServer(Duration time) {
        refusesUntil = world.nanos() + time.toNanos();
        run(time);
    }

    /** Has all clients find that their connections were broken, and are there again. */
    void reconnect() {
        members.forEach(member -> member.step(member.engine::askAgain));
    }

    /** Lets time pass, and counts calls from its beginning. */
    void run(Duration time) {
        callsInSecond = new long[Math.toIntExact(time.toSeconds()) + 2];
        countedFrom = world.nanos();
        world.runUntil(world.nanos() + time.toNanos());
    }

    /** Returns how many calls there were while time passed the last time. */
    long calls() {
        return Arrays.stream(callsInSecond).sum();
    }

    /** Returns how many calls there were in the busiest second of that time. */
    long mostInASecond() {
        return Arrays.stream(callsInSecond).max().orElse(0);
    }

    private void count() {
        callsInSecond[Math.toIntExact((world.nanos() - countedFrom) / SECOND_NANOS)]++;
    }

    /** A client process. */
    private final class Member implements Driver, Clock, StoreListener {
        private final Store store;
        private final Engine engine;
        private final List<Grant> holds = new ArrayList<>();
        private final boolean hears;
        private long wakeNanos = Long.MAX_VALUE;

        Member(String id, boolean hears) {
            this.hears = hears;
            store = server.connect(id, this);
            EngineSettings settings = new EngineSettings(
                    id,
                    Timings.DEFAULTS,
                    () -> capabilities,
                    store::shardOf,
                    STORE_TIMEOUT_NANOS,
                    COMMAND_TIMEOUT_NANOS,
                    Integer.MAX_VALUE);
            engine = new Engine(settings, this, world.random::nextDouble, world.random::nextLong, null);
            world.in(world.random.nextLong(LOOK_NANOS), this::look);
        }

        void ask(String name) {
            step(out -> engine.acquire(Resource.lock(name), new Asking(this), out));
        }

        void release(Grant grant) {
            holds.remove(grant);
            step(out -> engine.release(grant, new Releasing(null), out));
        }

        void step(Consumer<Outbox> event) {
            Outbox out = new Outbox();
            event.accept(out);
            out.flush(this);
        }

        @Override
        public void send(Command command) {
            engine.sending(command);
            world.in(WAY_NANOS, () -> {
                count();
                boolean refused = world.nanos() < refusesUntil;
                Object reply = refused ? "" : perform(command);
                world.in(
                        WAY_NANOS,
                        () -> step(out -> {
                            if (refused) {
                                engine.failed(command, new StoreFailure(Effect.NONE, "refused", null), out);
                            } else {
                                engine.answered(command, reply, out);
                            }
                        }));
            });
        }

        private void look() {
            step(engine::look);
            world.in(LOOK_NANOS, this::look);
        }

        private Object perform(Command command) {
            try {
                return command.perform(store, COMMAND_TIMEOUT_NANOS);
            } catch (StoreFailure impossible) {
                throw new AssertionError(impossible);
            }
        }

        @Override
        public void wakeAt(long nanos) {
            if (nanos < wakeNanos) {
                wakeNanos = nanos;
                world.at(nanos, () -> wake(nanos));
            }
        }

        private void wake(long planned) {
            if (planned == wakeNanos) {
                wakeNanos = Long.MAX_VALUE;
                step(engine::tick);
            }
        }

        @Override
        public void call(Kind kind, Runnable userCode) {
            world.in(0, userCode);
        }

        @Override
        public long nanos() {
            return world.nanos();
        }

        @Override
        public long wallMillis() {
            return world.nanos() / World.MILLI;
        }

        @Override
        public void onPush(Push push) {
            if (hears) {
                world.in(WAY_NANOS, () -> step(out -> engine.onPush(push, out)));
            }
        }

        @Override
        public void onReconnect() {
            throw new AssertionError("the server in this JVM has no connections");
        }
    }

    /** A caller that waits as long as it takes. */
    private final class Asking extends Waiter {
        private final Member member;

        Asking(Member member) {
            super(new HoldRequest(1, false, LEASE_NANOS, false, 0, 0, false, 0), false, false, null, null);
            this.member = member;
        }

        @Override
        protected String description() {
            return "";
        }

        @Override
        protected void settled() {
            if (outcome() instanceof Waiter.Got got) {
                member.holds.add(got.grant());
                granted.add(got.grant());
            }
        }
    }

    /** Returns the numbers of the clients. */
    IntStream clients() {
        return IntStream.range(0, members.size());
    }
}
