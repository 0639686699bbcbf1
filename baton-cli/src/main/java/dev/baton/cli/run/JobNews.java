package dev.baton.cli.run;

import dev.baton.BatonEvent;
import dev.baton.BatonListener;
import dev.baton.cli.console.HostTime;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells of runs that failed, and of fire times that passed without a run: after an outage, hundreds of them come at once,
 * and are told as one number. For one thread.
 */
final class JobNews implements BatonListener {
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    /** Of the exception: its message says enough. */
    private static final Pattern CLASS = Pattern.compile(": [\\w.]+\\.\\w+: ");

    private final String job;
    private final Consumer<String> tell;
    private HostTime.@Nullable Stopwatch told;
    private int more;

    JobNews(String job, Consumer<String> tell) {
        this.job = "job '" + job + "' ";
        this.tell = tell;
    }

    @Override
    public void onEvent(BatonEvent event) {
        switch (event.type()) {
            case JOB_MISSED -> missed(event.detail());
            case JOB_RAN -> flush();
            case JOB_FAILED -> {
                flush();
                tell.accept(job + "failed: "
                        + CLASS.matcher(Attempt.inOptions(event.detail())).replaceFirst(": "));
            }
            default -> {
                // The log tells of the store, and the command of its lock.
            }
        }
    }

    private void missed(String which) {
        if (told != null && told.elapsed().compareTo(AT_ONCE) < 0) {
            more++;
            return;
        }
        flush();
        tell.accept(job + "was not run: " + which);
        told = new HostTime.Stopwatch();
    }

    private void flush() {
        if (more > 0) {
            tell.accept(job + "was not run for " + more + " more fire times");
            more = 0;
        }
    }
}
