package dev.baton.cli.run;

import dev.baton.Baton;
import dev.baton.BatonException;
import dev.baton.Election;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.DurationConverter;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.OwnExitCodes;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.QuietLog;
import dev.baton.cli.console.Table;
import dev.baton.cli.console.Table.Align;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.console.Who;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a command while this machine leads. */
@picocli.CommandLine.Command(
        name = "elect",
        description = {
            "Runs a command on one of all machines, for as long as that leads. The others wait for their turn, first come,"
                    + " first served. When a leader dies or loses the store, its command is ended before another machine"
                    + " leads. When the command ends by itself, the machine steps down, and stands again after"
                    + " --cooldown.",
            ""
        },
        sortOptions = false,
        footerHeading = "%nIn the command's environment:%n",
        footer = {
            "  BATON_NAME   the election's name",
            "  BATON_TOKEN  the fencing token of the term: send it along, and let writes",
            "               with a smaller one be refused",
            "",
            "INT, TERM, HUP and QUIT are handed on to a command that runs, and end baton",
            "when it has ended.",
            "",
            "Exit codes: 128 + the number of the signal that ended baton, or:",
            "    0  with --show: shown, even if none leads",
            "  122  the store cannot be reached or used",
            "  125  wrong arguments, no store, or a fault of baton's own",
            "  127  there is no such command",
            "",
            "JSON of --show: {\"name\", \"leader\": {\"description\", \"clientId\", \"note\"} or",
            "null, \"candidates\": [...]}."
        })
public final class ElectCommand implements Callable<Integer>, OwnExitCodes {
    private static final int MOST_BYTES = 1_000;

    @Mixin
    private LeaseOptions lease = new LeaseOptions();

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "The election's name.")
    private String name = "";

    @Option(
            names = "--note",
            paramLabel = "TEXT",
            description = "What others read of this leader, such as its address: at most 1,000 bytes.")
    private @Nullable String note;

    @Option(
            names = "--cooldown",
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = DurationConverter.class,
            description = "How long to stay out when the command has ended by itself (${DEFAULT-VALUE}).")
    private Duration cooldown = Duration.ZERO;

    @Option(names = "--show", description = "Run nothing: show who leads, its note, and who waits.")
    private boolean show;

    @Option(names = "--json", description = "With --show: print one JSON object, and nothing else.")
    private boolean json;

    @Parameters(arity = "0..*", paramLabel = "CMD", description = "The command and its arguments, best after --.")
    private List<String> words = new ArrayList<>();

    private final Terminal out;
    private final Terminal err;

    /**
     * Makes the command.
     *
     * @param out for what --show prints
     * @param err for Baton's own messages
     */
    public ElectCommand(Terminal out, Terminal err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public int translated(int usual) {
        return LeaseOptions.translated(usual);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (show) {
            if (!words.isEmpty()) {
                throw new CliException(ExitCode.USAGE, "--show runs no command: leave it out", null);
            }
            try (Baton baton = lease.look()) {
                return show(Attempt.of(() -> baton.election(name)));
            }
        }
        LeaseOptions.requireSignals();
        LeaseOptions.required(words);
        if (note != null && bytes(note).length > MOST_BYTES) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--note has " + bytes(note).length + " bytes, more than 1,000: write where to find the rest",
                    null);
        }
        Guardian.require();
        QuietLog.showTroubles();
        Signals signals = new Signals();
        int exitCode;
        try (Baton baton =
                lease.connect(new Start(null), lease.client(Command.name(words)).build(), err)) {
            exitCode = stand(baton, signals);
        }
        signals.dieLike(exitCode);
        return exitCode;
    }

    private int stand(Baton baton, Signals signals) throws InterruptedException {
        Election election = Attempt.of(() -> baton.election(name));
        Turns turns = new Turns(lease, "the term is about to end", this::tell);
        signals.take(turns::receive);
        try (Election.Candidacy candidacy = election.join(term -> lead(baton, turns, term))) {
            turns.onEnd(candidacy::close);
            String signal = turns.awaitEnd();
            LateRelease.comesThrough(baton, baton.lock("baton-election:" + name));
            return Signals.exitCode(signal);
        }
    }

    private void lead(Baton baton, Turns turns, Election.Term term) throws InterruptedException {
        tell("leading '" + name + "', token " + term.token());
        writeNote(term);
        Command command = Command.under(term.lease(), name, words, baton.clientId() + '-' + term.token(), Map.of());
        try {
            Turns.Ended ended = turns.run(term.lease(), command);
            if (!ended.byBaton() && !ended.bySignal()) {
                tell('\'' + Command.name(words) + "' ended with status " + ended.exitCode() + ": stepping down for "
                        + DurationConverter.text(cooldown));
            }
        } catch (CliException notStarted) {
            tell(notStarted.getMessage() + ": stepping down for " + DurationConverter.text(cooldown));
        }
        term.stepDown(cooldown);
    }

    private void writeNote(Election.Term term) {
        try {
            if (note != null) {
                term.writeNote(bytes(note));
            }
        } catch (BatonException late) {
            tell("the note was not written: " + late.getMessage());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // ---- who leads -----------------------------------------------------------------------------------------------

    private int show(Election election) {
        Optional<Election.Leader> leader = election.leader();
        List<String> candidates = election.candidates();
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("name", name);
            object.put("leader", leader.map(ElectCommand::json).orElse(null));
            object.put("candidates", candidates);
            out.json(object);
            return ExitCode.OK;
        }
        Table table = new Table(Align.LEFT, Align.LEFT);
        table.row(List.of(
                "leader",
                leader.map(leads -> Who.of(leads.description()).line()).orElse("none")));
        table.row(List.of(
                "note", leader.flatMap(ElectCommand::note).map(Printable::of).orElse("-")));
        table.row(List.of("candidates", Integer.toString(candidates.size())));
        int place = 0;
        for (String candidate : candidates) {
            table.row(List.of("  " + ++place, Who.of(candidate).line()));
        }
        (out.isTerminal() ? table.lines(out.width()) : table.lines()).forEach(out.out()::println);
        return ExitCode.OK;
    }

    private static Map<String, Object> json(Election.Leader leader) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("description", leader.description());
        object.put("clientId", leader.clientId());
        object.put("note", note(leader).orElse(null));
        return object;
    }

    private static Optional<String> note(Election.Leader leader) {
        return leader.note().map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    private void tell(String what) {
        err.out().println("baton: " + Printable.of(what));
    }
}
