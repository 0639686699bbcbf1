package dev.baton.bench.jobs;

import com.github.kagkarlsson.scheduler.Scheduler;
import dev.baton.Baton;
import dev.baton.bench.jobs.JobPeer.Action;
import java.time.Duration;
import java.util.List;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.quartz.CronTrigger;

/** A column of the table. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state, and lists that nothing changes
enum Product {
    BATON(
            "Baton",
            Baton.class,
            BatonPeer.SETTINGS,
            "",
            BatonPeer::new,
            new Choices(BatonPeer.DEATHS, BatonPeer.CATCH_UPS, List.of(Duration.ZERO), true)),
    SHED_LOCK(
            "ShedLock",
            JdbcTemplateLockProvider.class,
            ShedLockPeer.SETTINGS,
            ShedLockPeer.TABLES,
            ShedLockPeer::new,
            new Choices(List.of(""), List.of(""), List.of(ShedLockPeer.LEAST, Duration.ofMinutes(2)), true)),
    QUARTZ(
            "Quartz, clustered",
            CronTrigger.class,
            QuartzPeer.SETTINGS,
            QuartzPeer.tables(),
            QuartzPeer::new,
            new Choices(QuartzPeer.DEATHS, QuartzPeer.CATCH_UPS, List.of(Duration.ZERO), false)),
    DB_SCHEDULER(
            "db-scheduler",
            Scheduler.class,
            DbSchedulerPeer.SETTINGS,
            DbSchedulerPeer.TABLES,
            DbSchedulerPeer::new,
            new Choices(DbSchedulerPeer.DEATHS, List.of(""), List.of(Duration.ZERO), false));

    /**
     * The choices of its users, in its own words; an empty word stands for no choice.
     *
     * @param deaths what follows the death of a runner
     * @param catchUps what happens with fire times that have passed
     * @param keeps minimum times that protect from clocks that differ
     * @param hasTimes whether it has a minimum and a maximum time
     */
    record Choices(List<String> deaths, List<String> catchUps, List<Duration> keeps, boolean hasTimes) {}

    /** Opens a node. */
    @FunctionalInterface
    private interface Opener {
        JobPeer open(String uri, String node, Action action) throws Exception;
    }

    private final String title;
    private final Class<?> library;
    private final String settings;
    private final String tables;
    private final Opener opener;
    private final Choices choices;

    Product(String title, Class<?> library, String settings, String tables, Opener opener, Choices choices) {
        this.title = title;
        this.library = library;
        this.settings = settings;
        this.tables = tables;
        this.opener = opener;
        this.choices = choices;
    }

    String title() {
        return title;
    }

    /** Returns a class of the library, whose jar has the version in its name. */
    Class<?> library() {
        return library;
    }

    String settings() {
        return settings;
    }

    /** Returns the statements that make its tables anew; empty if it makes them itself. */
    String tables() {
        return tables;
    }

    Choices choices() {
        return choices;
    }

    JobPeer open(String uri, String node, Action action) throws Exception {
        return opener.open(uri, node, action);
    }
}
