package dev.baton.bench;

import dev.baton.bench.Contestant.Worker;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Has the lock all the while, and does something that is too short to look at the clock after it. */
final class WhileHeld implements Worker {
    /** Short enough for those who ask the server each time. */
    private static final int AT_ONCE = 100;

    private final Lock lock;
    private final Supplier<Mutex> actions;
    private Mutex action = Runnable::run;

    /** Asks for the action when the lock is held: only then is there a lease to ask. */
    WhileHeld(Lock lock, Supplier<Mutex> actions) {
        this.lock = lock;
        this.actions = actions;
    }

    static WhileHeld locksAgain(Lock lock) {
        return new WhileHeld(lock, () -> Mutex.of(lock));
    }

    /** Asks instead of locking again. */
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
