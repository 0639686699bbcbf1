package dev.baton.cli.look;

import dev.baton.Baton;
import dev.baton.StoreException;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.DurationConverter;
import dev.baton.cli.console.Errors;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Fit;
import dev.baton.cli.console.Grace;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.console.Terminal.Style;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code baton watch}. */
@Command(
        name = "watch",
        description = {
            "Watches locks until Ctrl-C.",
            "",
            "On a terminal the table of 'baton ls' is drawn anew. Elsewhere there is one line for each lock at first, and"
                    + " then one for each that has changed: another holder, another waiter, taken away, free. What"
                    + " begins and ends between two looks is not seen.",
            "",
            LookCommand.TOKEN_HELP,
            ""
        },
        sortOptions = false,
        footerHeading = "%nExit codes:%n",
        footer = {
            "    0  looked --count times, or nobody reads any more",
            "    2  the arguments make no sense",
            "    5  the store cannot be reached or used at the first look or the last; in",
            "       between it is said once, and the next look tries again",
            "    6  there is no place for the default store",
            "  130  Ctrl-C",
            "",
            "JSON: one object a line for each change, as 'baton show --json' prints it; a",
            "store that stops answering is one with \"error\" and \"exitCode\", and one whose",
            "grace period begins or ends is one with \"gracePeriod\" (null when it is over)."
        })
public final class WatchCommand extends LookCommand {
    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Mixin
    private Choice choice = new Choice();

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = DurationConverter.class,
            description = "How long from one look to the next (${DEFAULT-VALUE}); each one asks the store twice.")
    private Duration interval = Duration.ofSeconds(1);

    @Option(names = "--count", paramLabel = "N", defaultValue = "0", description = "Look N times; 0 for ever.")
    private int count;

    @Option(names = "--json", description = "Print one JSON object for each change, and nothing else there.")
    private boolean json;

    private final Changes changes = new Changes();
    private boolean answered = true;

    /** What the last look found. */
    private Optional<Grace> grace = Optional.empty();

    /**
     * Makes the command.
     *
     * @param out for locks
     * @param err for messages about a store that does not answer
     */
    public WatchCommand(Terminal out, Terminal err) {
        super(out, err);
    }

    @Override
    int look(Baton baton) {
        if (interval.compareTo(SHORTEST) < 0) {
            throw new CliException(ExitCode.USAGE, "--interval must be at least 50ms", null);
        }
        if (count < 0) {
            throw new CliException(ExitCode.USAGE, "--count must not be negative, but is " + count, null);
        }
        for (int looks = 1; ; looks++) {
            try {
                Optional<Grace> now = Grace.of(baton.admin());
                show(Glance.at(baton.admin(), choice.prefix(), choice.limit()), now);
                grace = now;
                answered = true;
            } catch (StoreException unanswered) {
                sayOnce(unanswered);
            }
            if (looks == count || out.out().checkError()) {
                return answered ? ExitCode.OK : ExitCode.STORE;
            }
            pause();
        }
    }

    private void show(Glance glance, Optional<Grace> now) {
        if (grace.isPresent() != now.isPresent()) {
            tell(now);
        }
        if (json) {
            changes.since(glance).forEach(lock -> out.json(Locks.json(lock)));
        } else if (out.live()) {
            out.out().print(CLEAR + String.join("\n", screen(glance, now)) + '\n');
        } else {
            changes.since(glance).forEach(lock -> out.out().println(Locks.line(lock)));
        }
        out.out().flush();
    }

    /** Says once that a grace period began, and once that it is over. The screen shows it as long as it lasts. */
    private void tell(Optional<Grace> now) {
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put(Grace.FIELD, now.map(Grace::json).orElse(null));
            out.json(object);
        } else if (!out.live()) {
            remark(now);
            if (now.isEmpty()) {
                err.out().println("baton: the grace period is over");
            }
        }
    }

    private List<String> screen(Glance glance, Optional<Grace> now) {
        List<String> lines = new ArrayList<>();
        String which = choice.prefix().isEmpty() ? "all locks" : Printable.of(choice.prefix()) + "*";
        lines.add(out.paint(Style.DIM, which + ", every " + DurationConverter.text(interval) + "; Ctrl-C ends"));
        now.ifPresent(period -> lines.add(Fit.middle(period.line(), out.width())));
        lines.add("");
        if (!glance.locks().isEmpty()) {
            List<String> table = Locks.table(glance.locks(), out);
            lines.add(out.paint(Style.BOLD, table.get(0)));
            lines.addAll(table.subList(1, table.size()));
        }
        lines.addAll(glance.remarks(choice.limit()));
        return lines;
    }

    private void sayOnce(StoreException unanswered) {
        if (answered && json) {
            out.json(Errors.json(String.valueOf(unanswered.getMessage()), ExitCode.STORE));
        }
        if (answered) {
            err.out().println("baton: " + Printable.of(String.valueOf(unanswered.getMessage())) + "; trying again");
        }
        answered = false;
    }

    private void pause() {
        new CompletableFuture<Void>()
                .completeOnTimeout(null, interval.toNanos(), TimeUnit.NANOSECONDS)
                .join();
    }
}
