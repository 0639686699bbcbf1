package dev.baton.bench;

import dev.baton.bench.Contestant.Worker;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Holds the lock for the whole turn, and does an operation that is too short to time one by one. */
final class WhileHeld implements Worker {
    /** Few enough for peers that ask the server each time. */
    private static final int AT_ONCE = 100;

    private final Lock lock;
    private final Supplier<Mutex> actions;
    private Mutex action = Runnable::run;

    /** The action is requested once the lock is held, because only then is there a lease. */
    WhileHeld(Lock lock, Supplier<Mutex> actions) {
        this.lock = lock;
        this.actions = actions;
    }

    static WhileHeld locksAgain(Lock lock) {
        return new WhileHeld(lock, () -> Mutex.of(lock));
    }

    /** Creates an action that asks whether the lock is held, and does not lock again. */
    static Mutex asks(BooleanSupplier isHeld) {
        return section -> {
            if (!isHeld.getAsBoolean()) {
                throw new IllegalStateException("lost the lock");
            }
            section.run();
        };
    }

    @Override
    public void enter() {
        lock.lock();
        action = actions.get();
    }

    @Override
    public long work(Runnable section) throws Exception {
        for (int i = 0; i < AT_ONCE; i++) {
            action.with(section);
        }
        return AT_ONCE;
    }

    @Override
    public void leave() {
        lock.unlock();
    }
}
