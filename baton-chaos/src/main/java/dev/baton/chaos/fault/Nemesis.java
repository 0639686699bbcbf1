package dev.baton.chaos.fault;

import dev.baton.chaos.fault.Fault.Effects;
import dev.baton.chaos.history.HostTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Makes faults happen, one after the other, sometimes two at once, as a seed decides. For one thread. */
public final class Nemesis implements AutoCloseable {
    private final List<Fault> faults;
    private final Stage stage;
    private final double calm;
    private final SplittableRandom random;
    private final Consumer<Happened> told;
    private final ExecutorService beside = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "second fault");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Creates a nemesis.
     *
     * @param faults to choose from; not empty
     * @param stage the clients
     * @param calm the longest time without a fault, in leases
     * @param seed decides everything
     * @param told is told of each fault when it is over, on this thread
     */
    public Nemesis(List<Fault> faults, Stage stage, double calm, long seed, Consumer<Happened> told) {
        this.faults = List.copyOf(faults);
        this.stage = stage;
        this.calm = calm;
        this.random = new SplittableRandom(seed);
        this.told = told;
    }

    /** Lets a time without faults pass, and makes one fault happen, or two of different scopes at once. */
    public void next() throws Exception {
        HostTime.sleep(stage.leases(calm / 8, calm, random));
        Fault first = faults.get(random.nextInt(faults.size()));
        List<Fault> others =
                faults.stream().filter(fault -> fault.scope() != first.scope()).toList();
        SplittableRandom ofFirst = random.split();
        SplittableRandom ofSecond = random.split();
        boolean pair = random.nextInt(4) == 0 && !others.isEmpty();
        Fault second = pair ? others.get(random.nextInt(others.size())) : first;
        Future<Happened> running = pair ? beside.submit(happening(second, ofSecond)) : null;
        List<Happened> happened = new ArrayList<>();
        try {
            happened.add(happening(first, ofFirst).call());
        } finally {
            if (running != null) {
                happened.add(result(running));
            }
        }
        stage.team().startMissing();
        happened.forEach(told);
    }

    private Callable<Happened> happening(Fault fault, SplittableRandom own) {
        return () -> {
            long began = HostTime.nanos();
            Effects effects = fault.happen(stage, own);
            return new Happened(
                    fault,
                    effects.where(),
                    began,
                    HostTime.nanos(),
                    effects.effects(),
                    Math.max(began, effects.damagedNanos()));
        };
    }

    private static Happened result(Future<Happened> running) throws Exception {
        try {
            return running.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    @Override
    public void close() {
        beside.shutdownNow();
    }
}
