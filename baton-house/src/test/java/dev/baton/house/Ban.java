package dev.baton.house;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Calls and fields with few permitted users: the users, and the alternative for all others. */
enum Ban {
    MONOTONIC_CLOCK(
            "take time from the engine's Clock; in a store, from the store's clock, and time limits as a Deadline",
            calls("java.lang.System.nanoTime"),
            places(
                    "dev.baton.internal.client.SystemClock",
                    "dev.baton.spi.Deadline",
                    "dev.baton.internal.store.HostClock",
                    "dev.baton.bench.jvm.Stopwatch",
                    "dev.baton.chaos.history.HostTime",
                    "dev.baton.tck", // contracts take real time; the simulator (tck.sim) must not
                    "dev.baton.tck.history",
                    "dev.baton.cli.console.HostTime",
                    "dev.baton.cli.demo",
                    "dev.baton.demo")),
    WALL_CLOCK(
            "take time from the engine's Clock; in a store, from the store's clock",
            calls(
                    "java.lang.System.currentTimeMillis",
                    "java.time.*.now",
                    "java.time.Clock.system*",
                    "java.time.Clock.tick*",
                    "java.util.Date.<init>()"),
            places(
                    "dev.baton.internal.client.SystemClock",
                    "dev.baton.internal.store.HostClock",
                    "dev.baton.chaos.history.HostTime", // an animal of the zoo goes by a clock that a fault sets
                    "dev.baton.cli.console.HostTime", // shows users how old a lock is
                    "dev.baton.memcached.StoreClock", // the store's counts in seconds
                    "dev.baton.examples.NightlyJob",
                    "dev.baton.examples.store.DirectoryStore")), // the clock that its processes share
    SLEEP(
            "retries and waiting belong to the engine, which asks its Driver to be woken",
            calls(
                    "java.lang.Thread.sleep",
                    "java.lang.Object.wait",
                    "java.util.concurrent.TimeUnit.sleep",
                    "java.util.concurrent.locks.LockSupport.park*"),
            places(
                    "dev.baton.internal.client.Waits", // a caller waits for its outcome
                    "dev.baton.internal.client.LastCommands", // the engine is closed when these are repeated
                    "dev.baton.examples.store.SharedFiles", // while another process writes
                    "dev.baton.jdbc.Combiner", // for the answer to a statement that another thread sends
                    "dev.baton.jdbc.PostgresqlListening", // between two tries to connect
                    "dev.baton.memcached.Listing", // while the server walks through its keys for another listing
                    "dev.baton.redis.TopologyWatch", // between two questions to nodes
                    "dev.baton.redis.Pipeline", // a caller waits for its answer
                    "dev.baton.redis.Pump",
                    "dev.baton.redis.Looking", // a caller waits for several members, or while a slot moves
                    "dev.baton.redis.Pace", // between two tries to connect
                    "dev.baton.redis.SentinelWatch", // between two questions to sentinels
                    "dev.baton.redis.Subscription", // between two tries to connect
                    "dev.baton.cli.run.LateRelease", // between two reads of whether a lock is free
                    "dev.baton.servers.Await", // between two looks at the servers of a test
                    "dev.baton.bench.jvm.Stopwatch",
                    "dev.baton.chaos.history.HostTime",
                    "dev.baton.tck.ClientContract",
                    "dev.baton.tck.FaultyStore",
                    "dev.baton.tck.JvmHiccups",
                    "dev.baton.tck.ChildLines",
                    "dev.baton.tck.StoreCounter",
                    "dev.baton.tck.StoreUndoCases", // puts a cancel at another moment of the acquire in each round
                    "dev.baton.tck.history.Residue",
                    "dev.baton.demo.Pause")),
    RANDOMNESS(
            "take a SplittableRandom with a seed that a failure can print, or a supplier from outside",
            calls(
                    "java.lang.Math.random",
                    "java.security.SecureRandom.<init>",
                    "java.util.Random.<init>",
                    "java.util.SplittableRandom.<init>()",
                    "java.util.UUID.randomUUID",
                    "java.util.concurrent.ThreadLocalRandom.current"),
            places(
                    "dev.baton.internal.client.BatonClient", // jitter
                    "dev.baton.spi.Protocol", // identity of a client, or of a namespace
                    "dev.baton.internal.client.Secrets", // of tickets
                    "dev.baton.internal.memory.MemoryStoreProvider", // identity of a server
                    "dev.baton.demo.BrokenLock")),
    PRINTING(
            "throw, answer, or tell a BatonListener; the command line prints to its Terminal",
            calls(
                    "java.io.FileDescriptor.err",
                    "java.io.FileDescriptor.out",
                    "java.lang.System.err",
                    "java.lang.System.out",
                    "java.lang.Throwable.printStackTrace()"),
            places(
                    "dev.baton.cli.console.Terminal",
                    "dev.baton.bench.Main",
                    "dev.baton.bench.jvm.Answers", // speaks to its parent
                    "dev.baton.chaos.Main",
                    "dev.baton.chaos.client.Child", // speaks to its parent
                    "dev.baton.demo.Parent",
                    "dev.baton.tck.ChildLines", // speaks to its parent
                    "dev.baton.tck.ThreadLimitedTaker", // speaks to its parent
                    "dev.baton.tck.CrashContract", // its measurements
                    "dev.baton.tck.WorkCrashContract", // its measurements
                    "dev.baton.tck.HistoryContract", // its measurements
                    "dev.baton.examples")),
    LOGGING(
            "answer, and let the engine log one line for each change of state",
            calls("java.lang.System.getLogger", "java.util.logging.Logger.*", "org.slf4j.*"),
            places(
                    "dev.baton.internal.engine.Reports",
                    "dev.baton.internal.engine.Outbox", // the failure of one of its items
                    "dev.baton.internal.client.BatonClient",
                    "dev.baton.internal.client.ClientThreads",
                    "dev.baton.jdbc.PostgresqlListening", // once, that it hears nothing: no answer tells the engine
                    "dev.baton.redis.Credentials", // that the provider failed: no answer tells the engine
                    "dev.baton.redis.Reauthentication", // that a server refused new credentials: the same
                    "dev.baton.chaos.runbook.Notes", // reads the logs of others
                    "dev.baton.tck.LogWatch")), // reads the logs of others
    EXIT(
            "throw, or return an ExitCode: only the main method of a program ends it",
            calls("java.lang.System.exit", "java.lang.Runtime.exit", "java.lang.Runtime.halt"),
            places(
                    "dev.baton.cli.Main",
                    "dev.baton.demo.ChildMain",
                    "dev.baton.bench.Main",
                    "dev.baton.bench.jvm.Answers",
                    "dev.baton.chaos.Main",
                    "dev.baton.chaos.client.Child",
                    "dev.baton.tck.LockTaker",
                    "dev.baton.tck.ThreadLimitedTaker"));

    private final String instead;
    private final Pattern calls;
    private final List<String> places;

    Ban(String instead, Pattern calls, List<String> places) {
        this.instead = instead;
        this.calls = calls;
        this.places = places;
    }

    /** Returns a pattern for names in which a star matches anything; without parentheses, it matches all arguments. */
    private static Pattern calls(String... names) {
        return Pattern.compile(List.of(names).stream()
                .map(name -> Pattern.quote(name).replace("*", "\\E.*\\Q") + (name.endsWith(")") ? "" : "(\\(.*\\))?"))
                .collect(Collectors.joining("|")));
    }

    /** Top-level classes, or packages all of whose classes may. */
    private static List<String> places(String... names) {
        return List.of(names);
    }

    String instead() {
        return instead;
    }

    List<String> places() {
        return places;
    }

    boolean isOn(JavaAccess<?> access) {
        return calls.matcher(access.getTarget().getFullName()).matches();
    }

    boolean allows(JavaClass type) {
        return places.stream().anyMatch(place -> isIn(type, place));
    }

    static boolean isIn(JavaClass type, String place) {
        return place.equals(type.getPackageName()) || place.equals(Compiled.topLevelName(type));
    }
}
