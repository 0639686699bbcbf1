package dev.baton;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One of many clients leads; the others follow, and wait for their turn, first come, first served. A term of leading is one
 * lease: {@link Term#isLeading} is false before another client can lead.
 *
 * <p>A candidate never drops out by itself: after any fault, once the store answers again, some candidate leads within three
 * leases, or after a grace period. Uses a lock of its own, named {@code baton-election:} and the election's name, and
 * the note of that. Thread-safe.
 *
 * @since 0.1
 */
public interface Election {
    /**
     * Returns the election's name.
     *
     * @return the name
     */
    String name();

    /**
     * Becomes a candidate, until the returned object or this client is closed.
     *
     * @param listener is told of this candidate's terms, on threads of the candidate
     * @return the candidacy
     * @throws BatonClosedException if the client is closed
     */
    Candidacy join(Listener listener);

    /**
     * Returns who leads.
     *
     * @return the leader; empty if there is none now
     * @throws StoreException if the store did not answer in time, or is in a grace period
     */
    Optional<Leader> leader();

    /**
     * Returns who waits to lead, in order.
     *
     * @return descriptions; empty if none waits, or if the store keeps no queue
     * @throws StoreException if the store did not answer in time
     */
    List<String> candidates();

    /**
     * Tells a follower of the leader, now and after each change, and when the leader writes. Asks the store once a second;
     * while it does not answer, the follower hears nothing.
     *
     * @param follower is called on a thread of this client, with an empty value while there is no leader
     * @return ends it
     * @throws BatonClosedException if the client is closed
     */
    AutoCloseable follow(Consumer<Optional<Leader>> follower);

    /** Is told of the terms of one candidate. Calls alternate strictly: each end follows its start. */
    @FunctionalInterface
    interface Listener {
        /**
         * Called when a term begins. May return at once, or do the leader's work: when the term ends, the calling thread
         * is interrupted, and the candidate waits for the return.
         *
         * @param term the term
         * @throws Exception ends the term: another candidate leads
         */
        void started(Term term) throws Exception;

        /**
         * Called when a term has ended, after {@link #started} has returned: a sixth of the lease before another client can
         * lead, if this process runs then and {@code started} has returned in time.
         *
         * @param term the term
         */
        default void ended(Term term) {}
    }

    /** A term of leading. Thread-safe. */
    interface Term {
        /**
         * Returns the fencing token of the term, which is greater than that of all terms before it.
         *
         * @return the token
         */
        long token();

        /**
         * Returns whether this candidate certainly leads at this moment. Once false, it stays so.
         *
         * @return true if no other can lead
         */
        boolean isLeading();

        /**
         * Returns the lease of the term, for fences. Do not release it: {@link #stepDown} ends a term.
         *
         * @return the lease
         */
        Lease lease();

        /**
         * Writes what followers read with {@link Leader#note}, such as an address.
         *
         * @param note at most 1,000 bytes
         * @throws LeaseLostException if the term has ended
         * @throws StoreException if it is unknown whether the note was written
         * @throws IllegalArgumentException if the note is too long
         */
        void writeNote(byte[] note);

        /**
         * Ends the term, and stays out of the election for some time. Does not wait.
         *
         * @param cooldown how long from the end of the term; zero to stand again at once, behind those who wait
         * @throws IllegalArgumentException if it is negative
         */
        void stepDown(Duration cooldown);
    }

    /** A client's part in an election. Thread-safe. */
    interface Candidacy extends AutoCloseable {
        /**
         * Returns the present term of this candidate.
         *
         * @return empty if it does not lead
         */
        Optional<Term> term();

        /** Ends the term, if there is one, and the candidacy. Does not wait for the listener. */
        @Override
        void close();

        /**
         * Ends the term, if there is one, and the candidacy, as {@link #close} does. Does not wait either.
         *
         * @return completes on a thread of this candidate when its listener has returned and another can lead; to cancel it
         *     has no effect
         */
        CompletableFuture<Void> withdraw();
    }

    /**
     * A leader.
     *
     * @param description host, process and start, as text
     * @param clientId its client
     * @param note its note of this term; empty if it has written none yet
     */
    record Leader(String description, String clientId, Optional<byte[]> note) {}
}
