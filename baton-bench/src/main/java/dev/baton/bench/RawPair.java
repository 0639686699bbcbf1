package dev.baton.bench;

import dev.baton.bench.Contestant.Worker;
import java.util.List;

/**
 * The fewest commands that a lock on Redis can send: a key with a time to live, deleted by its owner. It does not wait,
 * renew or count tokens, so it is a target to compare with and not a lock to use.
 */
interface RawPair {
    /**
     * Sets the key if it does not exist.
     *
     * @param name the key
     * @param owner its value
     * @return true if it was set
     * @throws Exception if there was no reply
     */
    boolean set(String name, String owner) throws Exception;

    /**
     * Deletes the key if it has the owner's value.
     *
     * @param name the key
     * @param owner its value
     * @return true if it was deleted
     * @throws Exception if there was no reply
     */
    boolean delete(String name, String owner) throws Exception;

    /** Creates a worker for one owner. It fails if a key exists already. */
    default Worker worker(List<String> names, String owner) {
        return new Mutex.AcquireReleaseBatch(
                names.stream().map(name -> mutex(name, owner)).toList());
    }

    private Mutex mutex(String name, String owner) {
        return section -> {
            if (!set(name, owner)) {
                throw new IllegalStateException(name + " is not free");
            }
            section.run();
            if (!delete(name, owner)) {
                throw new IllegalStateException(name + " was lost");
            }
        };
    }
}
