package dev.baton.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One lock, and how it is going to fail.
 *
 * @param name for the command line and JSON
 * @param title for people
 * @param lock makes the lock, once in each process
 * @param faults what happens during the sale, in this order
 * @param expected how it ends
 * @param stuckAfter how long nothing may be sold before the sale counts as stuck
 * @param why one line that explains the end
 */
public record Round(
        String name,
        String title,
        LockFactory lock,
        List<Fault> faults,
        Expected expected,
        Duration stuckAfter,
        String why) {

    /** How a round is announced to end. */
    public enum Expected {
        /** Units are sold twice. */
        OVERSOLD,
        /** Nothing is sold any more. */
        STUCK,
        /** Everything is sold once, and what a former holder writes is refused. */
        SAFE
    }

    /** Makes a lock. */
    @FunctionalInterface
    public interface LockFactory {
        ShopLock open(Place place);
    }

    /**
     * Where locks live.
     *
     * @param directory the round's own, with everything of the broken locks
     * @param store where Baton's lock lives
     * @param network what stands between a broken lock and its server
     */
    public record Place(Path directory, String store, UnaryOperator<KeyValue> network) {
        KeyValue keyValue() {
            return network.apply(new SqliteKeyValue(directory.resolve("kv.db")));
        }

        Path shop() {
            return directory.resolve("shop.db");
        }

        /** Unlike that of any other run on a shared store. */
        String lockName() {
            Path run = directory.getParent();
            return "demo:" + (run == null ? directory : run.getFileName());
        }
    }
}
