package dev.baton.spring.internal;

import dev.baton.Baton;
import dev.baton.Job;
import dev.baton.spring.internal.begin.Beginning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;

/** The jobs of an application: begins their schedules, and ends them. Thread-safe. */
public final class RunningJobs {
    /** How long runs that were interrupted are awaited; the client waits for them again when it closes. */
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

    private static final Log LOG = LogFactory.getLog(RunningJobs.class);

    private final BeanFactory beans;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, JobPlan> plans = new LinkedHashMap<>();
    private final List<Beginning> beginnings = new ArrayList<>();
    private final List<BiConsumer<String, Job.Scheduled>> watchers = new CopyOnWriteArrayList<>();
    private final Map<String, Job.Scheduled> scheduled = new ConcurrentHashMap<>();
    private volatile boolean running;

    RunningJobs(BeanFactory beans) {
        this.beans = beans;
    }

    /** Adds a job; begins it if the others have begun, as for the bean of a method that is made late. */
    void add(JobPlan plan) {
        lock.lock();
        try {
            JobPlan other = plans.putIfAbsent(plan.key(), plan);
            if (other != null) {
                throw new IllegalStateException("@ClusterScheduled on " + plan.source() + " has the name \""
                        + plan.name() + "\", which is that of " + other.source() + ": give it another one");
            }
            if (!running) {
                return;
            }
        } finally {
            lock.unlock();
        }
        begin(List.of(plan));
    }

    /**
     * Has something told of each schedule that begins.
     *
     * @param watcher gets the job's name and its schedule
     */
    public void watch(BiConsumer<String, Job.Scheduled> watcher) {
        watchers.add(watcher);
    }

    /** Begins the schedules as soon as their clients are connected; does not wait for that. */
    public void start() {
        List<JobPlan> jobs;
        lock.lock();
        try {
            jobs = running ? List.of() : List.copyOf(plans.values());
            running = true;
        } finally {
            lock.unlock();
        }
        begin(jobs);
    }

    /** Without the lock, while Spring looks for the clients under locks of its own. */
    private void begin(List<JobPlan> jobs) {
        if (jobs.isEmpty()) {
            return;
        }
        Map<String, Baton> clients = new HashMap<>();
        jobs.forEach(plan -> clients.put(plan.key(), plan.baton(beans)));
        lock.lock();
        try {
            if (running) {
                beginnings.add(Beginning.of("a job", () -> jobs.forEach(plan -> schedule(plan, clients))));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Unless an attempt before has begun it, and failed with another job. */
    private void schedule(JobPlan plan, Map<String, Baton> clients) {
        if (scheduled.containsKey(plan.key())) {
            return;
        }
        Baton client = Objects.requireNonNull(clients.get(plan.key()));
        Job.Scheduled begun = client.job(plan.name(), plan.options()).schedule(plan.schedule(), plan::run);
        scheduled.put(plan.key(), begun);
        watchers.forEach(each -> each.accept(plan.key(), begun));
    }

    /** Returns whether schedules have begun, or wait for their client. */
    public boolean isRunning() {
        return running;
    }

    /**
     * Returns all jobs, in the order of their beans.
     *
     * @return by name; empty if the schedule has not begun
     */
    public Map<String, Optional<Job.Scheduled>> all() {
        Map<String, Optional<Job.Scheduled>> all = new LinkedHashMap<>();
        lock.lock();
        try {
            plans.keySet().forEach(key -> all.put(key, Optional.ofNullable(scheduled.get(key))));
        } finally {
            lock.unlock();
        }
        return all;
    }

    /**
     * Ends all schedules: no run begins any more, and those that have begun are awaited.
     *
     * @param patience after which they are interrupted
     */
    public void stop(Duration patience) {
        List<Beginning> begun;
        lock.lock();
        try {
            running = false;
            begun = List.copyOf(beginnings);
            beginnings.clear();
        } finally {
            lock.unlock();
        }
        begun.forEach(Beginning::stop);
        Map<String, CompletableFuture<Void>> ends = new LinkedHashMap<>();
        scheduled.forEach((key, each) -> ends.put(key, each.stop()));
        if (!haveEnded(ends.values(), patience)) {
            ends.values().removeIf(CompletableFuture::isDone);
            LOG.warn("jobs still run " + patience.toMillis() + " ms after the application began to close, and are"
                    + " interrupted: " + ends.keySet());
        }
        scheduled.values().forEach(Job.Scheduled::close);
        boolean unused = haveEnded(ends.values(), AFTER_INTERRUPT);
        scheduled.clear();
    }

    private static boolean haveEnded(Collection<CompletableFuture<Void>> ends, Duration patience) {
        try {
            CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
                    .get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
