package dev.baton.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One lock, and how it is expected to fail.
 *
 * @param name for the command line and JSON
 * @param title for users
 * @param lock makes the lock, once in each process
 * @param faults the faults during the sale, in this order
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

    /** The announced end of a round. */
    public enum Expected {
        /** Units are sold twice. */
        OVERSOLD,
        /** Nothing is sold any more. */
        STUCK,
        /** Everything is sold once, and writes of former holders are refused. */
        SAFE
    }

    /** Makes a lock. */
    @FunctionalInterface
    public interface LockFactory {
        ShopLock open(Place place);
    }

    /**
     * The place of the locks.
     *
     * @param directory the round's own directory, with all files of the broken locks
     * @param store the address of the store with Baton's lock
     * @param network wraps a broken lock's connection to its server
     */
    public record Place(Path directory, String store, UnaryOperator<KeyValue> network) {
        KeyValue keyValue() {
            return network.apply(new SqliteKeyValue(directory.resolve("kv.db")));
        }

        Path shop() {
            return directory.resolve("shop.db");
        }

        /** Returns a name that no other run on a shared store uses. */
        String lockName() {
            Path run = directory.getParent();
            return "demo:" + (run == null ? directory : run.getFileName());
        }
    }
}
