package dev.baton.spring.internal.begin;

import dev.baton.BatonException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Begins something with a client that may not be connected yet, on a thread of its own: tries again each second until it
 * succeeds or is stopped. Thread-safe.
 */
public final class Beginning {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Log LOG = LogFactory.getLog(Beginning.class);

    private final String subject;
    private final Runnable begin;
    private final Semaphore stopped = new Semaphore(0);
    private final Thread thread;

    private Beginning(String subject, Runnable begin) {
        this.subject = subject;
        this.begin = begin;
        this.thread = new Thread(this::work, "baton-spring-begin");
        this.thread.setDaemon(true);
    }

    /**
     * Starts the thread.
     *
     * @param subject of log lines
     * @param begin is called again if it throws a {@link BatonException} or an {@link IllegalStateException}
     */
    public static Beginning of(String subject, Runnable begin) {
        Beginning beginning = new Beginning(subject, begin);
        beginning.thread.start();
        return beginning;
    }

    private void work() {
        boolean told = false;
        try {
            while (!succeeds(told) && !stopped.tryAcquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                told = true;
            }
        } catch (InterruptedException byStop) {
            // Then there is nothing to begin any more.
        }
    }

    /** Returns whether it has begun, or never will. An outage is one line, not one for each attempt. */
    private boolean succeeds(boolean told) {
        try {
            begin.run();
        } catch (BatonException | IllegalStateException away) {
            if (!told && stopped.availablePermits() == 0) {
                LOG.warn(subject + " cannot begin yet, and tries again each second: " + away.getMessage());
            }
            return false;
        } catch (RuntimeException | Error defect) {
            LOG.error(subject + " cannot begin", defect);
        }
        return true;
    }

    /** Gives up. On return it has begun, or never will; does not wait if the calling thread is interrupted. */
    public void stop() {
        stopped.release();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
