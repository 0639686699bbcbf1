package dev.baton.tck.sim;

import dev.baton.internal.engine.Clock;
import dev.baton.internal.engine.Command;
import dev.baton.internal.engine.Driver;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.EngineSettings;
import dev.baton.internal.engine.Outbox;
import dev.baton.spi.Note;
import dev.baton.spi.Push;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client process: the real engine, clocks that may drift, sleep and step, and a link to the server that the network
 * may spoil. While the process is paused, its events wait; once it is dead, they never happen.
 */
final class SimClient implements Network.Recipient, NoteWitness.Writer, Driver, Clock {
    private static final long SILENCE_NANOS = 60 * World.MILLI;
    private static final long STORE_TIMEOUT_NANOS = 500 * World.MILLI;

    /** As often as a client does it in a grace period of some seconds: several times in each quarter. */
    private static final long LOOK_NANOS = 10 * World.MILLI;

    final String id;
    final Engine engine;
    private final World world;
    private final Scenario scenario;
    private final Network network;
    private final NoteWitness notes;
    private final Function<@Nullable String, SimServer> servers;
    private final double rate;
    private long sleptNanos;
    private long wallStepMillis;
    private long pausedUntilNanos;
    private boolean dead;
    private long wakeNanos = Long.MAX_VALUE;

    SimClient(
            String id,
            World world,
            Scenario scenario,
            Network network,
            NoteWitness notes,
            Timings timings,
            Function<@Nullable String, SimServer> servers) {
        this.id = id;
        this.world = world;
        this.scenario = scenario;
        this.network = network;
        this.notes = notes;
        this.servers = servers;
        this.rate = scenario.has(Fault.DRIFT) ? 1 + (world.random.nextDouble() - 0.5) * 0.018 : 1;
        EngineSettings settings = new EngineSettings(
                id,
                timings,
                () -> SimServer.capabilities(scenario),
                scenario::shardOf,
                STORE_TIMEOUT_NANOS,
                SILENCE_NANOS,
                100);
        this.engine = new Engine(settings, this, world.random::nextDouble, world.random::nextLong, null);
        if (scenario.notes()) {
            later(world.millis(0, 10), this::look);
        }
    }

    private void look() {
        step(engine::look);
        later(LOOK_NANOS, this::look);
    }

    // ---- clocks --------------------------------------------------------------------------------------------------

    @Override
    public long nanos() {
        return (long) ((world.nanos() - sleptNanos) * rate);
    }

    @Override
    public long wallMillis() {
        return 1_767_225_600_000L + (long) (world.nanos() * rate / World.MILLI) + wallStepMillis;
    }

    /** A shorter pause within a longer one does not end it: events that wait for its end would be overtaken. */
    void pause(long nanos) {
        pausedUntilNanos = Math.max(pausedUntilNanos, world.nanos() + nanos);
    }

    /** Pauses the process. Afterwards the monotonic clock has not counted the time in between. */
    void sleep(long nanos) {
        pause(nanos);
        sleptNanos += nanos;
    }

    void stepWallClock(long millis) {
        wallStepMillis += millis;
    }

    void die() {
        dead = true;
    }

    @Override
    public boolean wasPausedSince(long nanos) {
        return pausedUntilNanos > nanos;
    }

    @Override
    public boolean isDead() {
        return dead;
    }

    /** Whether the process does anything now: a driver's own thread keeps its session alive. */
    boolean isRunning() {
        return !dead && pausedUntilNanos <= world.nanos();
    }

    /** Runs an action in this process as soon as the process is not paused. */
    void here(Runnable action) {
        if (dead) {
            return;
        }
        if (pausedUntilNanos > world.nanos()) {
            world.at(pausedUntilNanos, () -> here(action));
        } else {
            action.run();
        }
    }

    @Override
    public void later(long nanos, Runnable action) {
        world.in(nanos, () -> here(action));
    }

    // ---- driver --------------------------------------------------------------------------------------------------

    @Override
    public void wakeAt(long nanos) {
        if (nanos >= wakeNanos) {
            return;
        }
        wakeNanos = nanos;
        later((long) ((nanos - nanos()) / rate) + 1, () -> tick(nanos));
    }

    private void tick(long planned) {
        if (planned != wakeNanos) {
            return;
        }
        wakeNanos = Long.MAX_VALUE;
        step(engine::tick);
    }

    /** Processes one event of the engine. */
    void step(Consumer<Outbox> event) {
        Outbox out = new Outbox();
        event.accept(out);
        out.flush(this);
    }

    @Override
    public void call(Kind kind, Runnable userCode) {
        later(0, userCode);
    }

    @Override
    public void send(Command command) {
        Note offered = scenario.notes() ? NoteProbe.offeredBy(command) : null;
        if (offered == null) {
            perform(command, server -> {}, () -> {});
        } else if (!scenario.isBroken(BrokenRule.NOTE_OFFERS)) {
            NoteWitness.Offer offer = notes.sends(id, offered);
            perform(command, server -> notes.arrives(offer), () -> {});
        }
    }

    /** Sends a command that a caller waits for. */
    void perform(Command command, Runnable settled) {
        perform(command, server -> {}, settled);
    }

    private void perform(Command command, Consumer<SimServer> arrival, Runnable afterwards) {
        engine.sending(command);
        boolean[] settled = new boolean[1];
        later(
                (long) (command.timeoutNanos() / rate),
                () -> once(settled, () -> {
                    servers.apply(command.name()).unanswered(id, command);
                    fail(command, "no answer");
                    afterwards.run();
                }));
        network.toServer(() -> servers.apply(command.name()), server -> {
            arrival.accept(server);
            server.perform(
                    id,
                    command,
                    reply -> network.toClient(
                            this,
                            () -> once(settled, () -> {
                                answer(command, reply);
                                afterwards.run();
                            })),
                    () -> network.toClient(
                            this,
                            () -> once(settled, () -> {
                                fail(command, "no replica has it");
                                afterwards.run();
                            })));
        });
    }

    /** Asks the server of a name something that is no command of the engine. */
    <T> void ask(String name, Function<SimServer, T> question, Consumer<T> answer) {
        network.toServer(() -> servers.apply(name), server -> {
            T reply = question.apply(server);
            network.toClient(this, () -> answer.accept(reply));
        });
    }

    /** A command is answered or fails, once. */
    private static void once(boolean[] settled, Runnable end) {
        if (!settled[0]) {
            settled[0] = true;
            end.run();
        }
    }

    private void answer(Command command, Object reply) {
        if (scenario.isBroken(BrokenRule.SAFE_DEADLINE)) {
            engine.sending(command);
        }
        step(out -> engine.answered(command, reply, out));
    }

    private void fail(Command command, String why) {
        step(out -> engine.failed(command, new StoreFailure(StoreFailure.Effect.UNKNOWN, why, null), out));
    }

    void receive(Push push) {
        step(out -> engine.onPush(push, out));
    }
}
