package dev.baton.cli.look;

import dev.baton.Baton;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Grace;
import dev.baton.cli.console.Terminal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code baton ls}. */
@Command(
        name = "ls",
        description = {
            "Lists the locks that are held or waited for.",
            "",
            "For each: its name, the fencing token, for how long it is held, how long the hold stays without a renewal,"
                    + " how many queue for it, and who holds it. A terminal that is too narrow loses the middle of names"
                    + " and holders.",
            "",
            LookCommand.TOKEN_HELP,
            "",
            "With --deadlocks: the threads that wait for each other in a circle, in any processes. If there are any, two"
                    + " looks that are 1.5 s apart have shown the same.",
            ""
        },
        sortOptions = false,
        footerHeading = "%nExit codes:%n",
        footer = {
            "    0  listed, even if there is none",
            "    2  the arguments make no sense",
            "    5  the store cannot be reached or used",
            "    6  there is no place for the default store",
            "",
            "JSON: {\"locks\": [...], \"more\": false}; each lock as 'baton show --json'",
            "prints it. In a grace period of the store also \"gracePeriod\":",
            "{\"remainingMillis\", \"until\", \"reason\"}. With --deadlocks:",
            "{\"deadlocks\": [[{\"waiter\", \"name\", \"kind\", \"holder\", \"queued\"},",
            "...], ...], \"whole\": true}; the holder of each is the waiter of the next."
        })
public final class ListCommand extends LookCommand {
    @Mixin
    private Choice choice = new Choice();

    @Option(names = "--json", description = JSON_HELP)
    private boolean json;

    @Option(
            names = "--deadlocks",
            description =
                    "Instead of locks, list threads that wait for each other. Looks at all names: PREFIX and --limit"
                            + " have no effect.")
    private boolean deadlocks;

    /**
     * Makes the command.
     *
     * @param out for the list
     * @param err for remarks on it
     */
    public ListCommand(Terminal out, Terminal err) {
        super(out, err);
    }

    @Override
    int look(Baton baton) {
        if (deadlocks) {
            return new Circles(out, err).print(baton.admin(), json);
        }
        Optional<Grace> grace = Grace.of(baton.admin());
        Glance glance = Glance.at(baton.admin(), choice.prefix(), choice.limit());
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("locks", glance.locks().stream().map(Locks::json).toList());
            object.put("more", glance.more());
            grace.ifPresent(now -> object.put(Grace.FIELD, now.json()));
            out.json(object);
            return ExitCode.OK;
        }
        if (!glance.locks().isEmpty()) {
            Locks.table(glance.locks(), out).forEach(out.out()::println);
        }
        remark(grace);
        glance.remarks(choice.limit()).forEach(remark -> err.out().println("baton: " + remark));
        return ExitCode.OK;
    }
}
