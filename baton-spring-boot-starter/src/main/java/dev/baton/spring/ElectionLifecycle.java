package dev.baton.spring;

import dev.baton.Election;
import dev.baton.spring.internal.begin.Beginning;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * A candidate of an election for as long as its application context runs: a bean of this type stands when the context has
 * started, and withdraws before anything else of the context ends, so that another machine leads at once, and the listener ends
 * while all that it uses still works.
 *
 * <pre>{@code
 * @Bean
 * ElectionLifecycle shardLeader(Baton baton, Consumer consumer) {
 *     return new ElectionLifecycle(baton.election("shard-1"), consumer);
 * }
 * }</pre>
 *
 * <p>Its phase is {@link SmartLifecycle#DEFAULT_PHASE}: it begins last and ends first. If the client is not connected yet, it
 * stands as soon as it is. Thread-safe.
 *
 * @since 0.1
 */
public final class ElectionLifecycle implements SmartLifecycle, DisposableBean {
    /** Less than Spring Boot gives all beans of a phase. */
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(20);

    private static final Log LOG = LogFactory.getLog(ElectionLifecycle.class);

    private final Election election;
    private final Election.Listener listener;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Beginning beginning;
    private volatile Election.@Nullable Candidacy candidacy;

    /**
     * Creates a candidate that gives its listener 20 seconds to end.
     *
     * @param election the election
     * @param listener is told of the terms
     */
    public ElectionLifecycle(Election election, Election.Listener listener) {
        this(election, listener, USUAL_PATIENCE);
    }

    /**
     * Creates a candidate.
     *
     * @param election the election
     * @param listener is told of the terms
     * @param patience how long {@link #stop} waits for the listener
     * @throws IllegalArgumentException if the patience is negative
     */
    public ElectionLifecycle(Election election, Election.Listener listener, Duration patience) {
        this.election = Objects.requireNonNull(election, "election");
        this.listener = Objects.requireNonNull(listener, "listener");
        this.patience = patience;
        if (patience.isNegative()) {
            throw new IllegalArgumentException("the patience must not be negative, but is " + patience);
        }
    }

    /** Stands for the election, as soon as the client is connected; does not wait for that. */
    @Override
    public void start() {
        lock.lock();
        try {
            if (beginning == null) {
                beginning = Beginning.of("a candidate", () -> candidacy = election.join(listener));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the term, if there is one, and the candidacy. On return the listener has ended and another can lead; or it has not
     * within the patience, which is logged.
     */
    @Override
    public void stop() {
        lock.lock();
        try {
            Beginning begun = beginning;
            if (begun != null) {
                begun.stop();
                beginning = null;
                withdraw();
            }
        } finally {
            lock.unlock();
        }
    }

    private void withdraw() {
        Election.Candidacy standing = candidacy;
        candidacy = null;
        if (standing == null) {
            return;
        }
        CompletableFuture<Void> end = standing.withdraw();
        try {
            end.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException late) {
            LOG.warn(
                    standing + ": its listener still works " + patience.toMillis()
                            + " ms after its term was ended: it is not awaited any more, and no other can lead until it returns");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Stops, if the context has not: when that did not start as a whole. */
    @Override
    public void destroy() {
        stop();
    }

    /** Returns whether it has been started, and not stopped since. */
    @Override
    public boolean isRunning() {
        return beginning != null;
    }

    /**
     * Returns the present term of this candidate.
     *
     * @return empty if it does not lead
     */
    public Optional<Election.Term> term() {
        Election.Candidacy standing = candidacy;
        return standing == null ? Optional.empty() : standing.term();
    }
}
