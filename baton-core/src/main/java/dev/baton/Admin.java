package dev.baton;

import java.util.List;
import java.util.Optional;

/** Looks at locks from outside, and takes them away. Thread-safe; every method may throw {@link StoreException}. */
public interface Admin {
    /**
     * The locks that are held or waited for.
     *
     * @param prefix what names must start with; may be empty
     * @param limit at most this many, at least 1
     * @return in order of names
     */
    List<LockInfo> list(String prefix, int limit);

    /**
     * One lock.
     *
     * @param name the lock's name
     * @return what the store knows, or empty if nobody holds it or waits
     */
    Optional<LockInfo> inspect(String name);

    /**
     * Takes a lock away from its present holder. The holder's next heartbeat tells it ({@link LossCause#REVOKED}) and
     * frees the lock; a holder that is not heard of any more keeps it until its lease ends. It does not wait for what
     * the holder is doing.
     *
     * @param name the lock's name
     * @return whom it was taken from, or empty if nobody held it
     */
    Optional<LockInfo.Holder> forceRelease(String name);

    /**
     * Takes a lock away and frees it at once. <strong>Unsafe</strong>: until its next heartbeat the old holder goes on
     * believing that it holds the lock, and the next one is let in beside it. Only fencing tokens keep its writes out.
     *
     * @param name the lock's name
     * @return whom it was taken from, or empty if nobody held it
     */
    Optional<LockInfo.Holder> forceReleaseNow(String name);

    /**
     * Examines whether the store is fit for locks: asks it about itself, and takes and frees a lock of a reserved name
     * that nobody else uses, up to fifty times within about five seconds, which proves the rights to write.
     *
     * @return what was found
     * @throws StoreException if the store refuses, or does not answer; its reason says which
     */
    StoreReport examine();
}
