package dev.baton.bench;

import dev.baton.bench.Contestant.Worker;
import java.util.List;

/**
 * The least that a lock on Redis can send: a key with a time to live, deleted by its owner. It does not wait, renew or
 * count tokens, so it is a mark to aim at and not a lock to use.
 */
interface RawPair {
    /**
     * Sets the key if it is not there.
     *
     * @param name the key
     * @param owner its value
     * @return whether it was set
     * @throws Exception if there was no answer
     */
    boolean set(String name, String owner) throws Exception;

    /**
     * Deletes the key if it is the owner's.
     *
     * @param name the key
     * @param owner its value
     * @return whether it was deleted
     * @throws Exception if there was no answer
     */
    boolean delete(String name, String owner) throws Exception;

    /** Works as one owner. A key that is not free is an error. */
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
