package dev.baton.internal.client;

import dev.baton.Election;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.internal.Exceptions;
import dev.baton.internal.work.Duty;
import dev.baton.internal.work.Host;
import dev.baton.internal.work.JobRunner;
import dev.baton.internal.work.LockElection;
import dev.baton.spi.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The jobs and elections of one client: makes them, and ends those that run. Thread-safe. */
final class Duties {
    private final Host host;
    private final Set<Duty> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Duties(Host host) {
        this.host = host;
    }

    Job job(String name, JobOptions options) {
        Objects.requireNonNull(options, "options");
        String valid = Checks.name(name);
        return new JobRunner(valid, options, host, this::begin);
    }

    Election election(String name) {
        return new LockElection(Checks.name(name), host, this::begin);
    }

    private void begin(Duty duty) {
        running.add(duty);
        if (closed) {
            running.remove(duty);
            throw Exceptions.get().closed();
        }
        duty.start(() -> running.remove(duty));
    }

    /** Ends all, and waits for the interrupted ones, but not for long. */
    void close(Duration patience) {
        closed = true;
        running.forEach(Duty::close);
        Deadline deadline = Deadline.in(patience.toNanos());
        boolean interrupted = false;
        for (Duty duty : running) {
            try {
                duty.join(Duration.ofMillis(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.leftNanos()))));
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
