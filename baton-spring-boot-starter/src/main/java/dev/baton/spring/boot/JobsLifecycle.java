package dev.baton.spring.boot;

import dev.baton.spring.internal.RunningJobs;
import java.time.Duration;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/** Runs the jobs while the context runs: they begin after all else has, and end before. */
final class JobsLifecycle implements SmartLifecycle, DisposableBean {
    private final RunningJobs jobs;
    private final Duration patience;

    /**
     * Creates the lifecycle.
     *
     * @param patience how long runs are awaited at the end
     */
    JobsLifecycle(RunningJobs jobs, Duration patience) {
        this.jobs = jobs;
        this.patience = patience;
    }

    @Override
    public void start() {
        jobs.start();
    }

    @Override
    public void stop() {
        jobs.stop(patience);
    }

    /** If a context does not start, nothing else stops what has. */
    @Override
    public void destroy() {
        if (isRunning()) {
            stop();
        }
    }

    @Override
    public boolean isRunning() {
        return jobs.isRunning();
    }
}
