package dev.baton.cli.run;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.cli.console.DurationConverter;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.HostTime;
import dev.baton.cli.console.OwnExitCodes;
import dev.baton.cli.console.Terminal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command under a lock. */
@picocli.CommandLine.Command(
        name = "run",
        description = {
            "Runs a command while this process holds a lock, as flock does, but for all machines that share the store."
                    + " The lock is renewed for as long as the command runs, and released when it ends. If the lock is"
                    + " lost, or baton itself is killed, the command is ended: it never goes on without the lock.",
            ""
        },
        sortOptions = false,
        footerHeading = "%nIn the command's environment:%n",
        footer = {
            "  BATON_NAME   the lock's name",
            "  BATON_TOKEN  the fencing token: send it along, and let writes with a smaller",
            "               one be refused. Not with --read and --permits, where others run",
            "               at the same time",
            "  With several names: BATON_NAME_1 and BATON_TOKEN_1, BATON_NAME_2 and",
            "  BATON_TOKEN_2 and so on instead, in the order of the command line",
            "",
            "Without --store and BATON_STORE it is refused, unless a person sees it: at a",
            "terminal it locks on this machine alone (--store local), and says so.",
            "",
            "Signals sent to baton are handed on to the command. What the command leaves",
            "running in the background is without the lock.",
            "",
            "Exit codes: the command's own, or 128 + the number of the signal that ended",
            "it, or:",
            "  122  the store cannot be reached or used; nothing was started",
            "  123  the lock was lost, and the command was ended",
            "  124  somebody else has the lock; nothing was started (see -E)",
            "  125  wrong arguments, no store, or a fault of baton's own; nothing was",
            "       started",
            "  126  the command cannot be started",
            "  127  there is no such command"
        })
public final class RunCommand implements Callable<Integer>, OwnExitCodes {
    private static final int LARGEST_EXIT_CODE = 255;

    @Mixin
    private LeaseOptions lease = new LeaseOptions();

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description =
                    "The lock's name. Given several times, the command runs under all these locks: it has all of them,"
                            + " or none, and two such commands never wait for each other for ever.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--read",
            description = "Hold the name as a reader, beside other readers: the name is a read-write lock.")
    private boolean read;

    @Option(names = "--write", description = "Hold the name as the writer of a read-write lock, alone.")
    private boolean write;

    @Option(
            names = "--permits",
            paramLabel = "N",
            description =
                    "Let N commands run at once, in the whole cluster: the name is a semaphore of N permits, and the"
                            + " command takes one.")
    private @Nullable Integer permits;

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Wait at most this long: 10 or 10s, 500ms, 2m, 1h. Default: as long as it takes.")
    private @Nullable Duration wait;

    @Option(
            names = {"-n", "--no-wait", "--nonblock"},
            description = "Do not wait at all.")
    private boolean noWait;

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "N",
            description = "Exit with this code instead of 124; 0 if another one's run is as good as this one's.")
    private int busyCode = ExitCode.RUN_BUSY;

    @Option(
            names = "--at-least",
            paramLabel = "TIME",
            defaultValue = "0",
            converter = DurationConverter.class,
            description =
                    "The store keeps the lock for so long from the command's start, even if the command ends sooner: longer"
                            + " than clocks of machines differ, so that none of them starts the same job after it has"
                            + " ended. baton does not wait for that time; 'baton release' ends it.")
    private Duration atLeast = Duration.ZERO;

    @Option(
            names = {"-v", "--verbose"},
            description = "Say who holds the lock also if standard error is not a terminal.")
    private boolean verbose;

    @Parameters(arity = "1..*", paramLabel = "CMD", description = "The command and its arguments, best after --.")
    private List<String> words = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything else runs
    private CommandSpec spec;

    private final Terminal err;

    /**
     * Makes the command.
     *
     * @param err for Baton's own messages
     */
    public RunCommand(Terminal err) {
        this.err = err;
    }

    @Override
    public int translated(int usual) {
        return LeaseOptions.translated(usual);
    }

    @Override
    public Integer call() throws InterruptedException {
        LeaseOptions.requireSignals();
        BatonOptions options = checkArguments();
        Signals signals = new Signals();
        Start start = new Start(noWait ? Duration.ZERO : wait);
        int exitCode;
        try (Baton baton = lease.connect(start, options, err)) {
            exitCode = run(baton, start, signals);
        }
        signals.dieLike(exitCode);
        return exitCode;
    }

    private int run(Baton baton, Start start, Signals signals) throws InterruptedException {
        boolean told = verbose || err.live();
        // Refuses what cannot be kept. The time is kept only by a command that has run.
        DistributedLock lock = Attempt.of(() -> lock(baton)).with(LockOptions.defaults());
        Wait waiting = new Wait(baton, lock, err, told);
        Optional<Start.Ready> got = Attempt.of(
                () -> start.lease(waiting::forLease, held -> Terms.of(held, lease.leaseTime(), lease.killAfter())));
        if (got.isEmpty()) {
            if (told) {
                waiting.sayWhoHasIt(start.waited());
            }
            return busyCode;
        }
        Terms terms = got.get().terms();
        try (Lease held = got.get().lease()) {
            String mark = baton.clientId();
            Watch watch = new Watch(
                    held,
                    terms,
                    () -> Guardian.start(Command.MARK + '=' + mark, terms.grace()),
                    "this program is ending",
                    this::tell);
            signals.take(watch::receive);
            HostTime.Stopwatch running = new HostTime.Stopwatch();
            int exitCode = watch.over(Command.under(held, names, words, mark));
            if (watch.hasEndedIt()) {
                return ExitCode.RUN_LOST;
            }
            return new Release(held, terms.leaseTime(), () -> LateRelease.comesThrough(baton, lock), this::tell)
                    .after(exitCode, atLeast.minus(running.elapsed()));
        }
    }

    private DistributedLock lock(Baton baton) {
        Integer number = permits;
        String name = names.get(0);
        LockOptions how = LockOptions.defaults().withAtLeast(atLeast);
        if (names.size() > 1) {
            return baton.allOf(names.toArray(String[]::new)).with(how);
        }
        if (number != null) {
            return baton.semaphore(name, number, how);
        }
        if (read || write) {
            DistributedReadWriteLock both = baton.readWriteLock(name, how);
            return read ? both.read() : both.write();
        }
        return baton.lock(name, how);
    }

    private BatonOptions checkArguments() {
        if (noWait && wait != null) {
            throw wrong("--wait and --no-wait contradict each other");
        }
        if ((read ? 1 : 0) + (write ? 1 : 0) + (permits != null ? 1 : 0) > 1) {
            throw wrong("--read, --write and --permits contradict each other");
        }
        if (names.size() > 1 && (read || write || permits != null)) {
            throw wrong("several --name are for locks: --read, --write and --permits take one");
        }
        if (busyCode < 0 || busyCode > LARGEST_EXIT_CODE) {
            throw wrong("--conflict-exit-code must be from 0 to " + LARGEST_EXIT_CODE + ", but is " + busyCode);
        }
        return lease.client(Command.name(words)).build();
    }

    private void tell(String what) {
        err.out().println("baton: " + what);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
