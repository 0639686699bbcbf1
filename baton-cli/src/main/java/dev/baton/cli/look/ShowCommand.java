package dev.baton.cli.look;

import dev.baton.Admin;
import dev.baton.Baton;
import dev.baton.LockInfo;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Grace;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.Table;
import dev.baton.cli.console.Table.Align;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.console.Who;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton show}. */
@Command(
        name = "show",
        description = {
            "Shows one lock: who holds it, and who waits for it.",
            "",
            "Of the holder: how it described itself, its client, the fencing token, and how long the hold stays without a"
                    + " renewal. Waiters stand in their order, the next one first.",
            "",
            LookCommand.TOKEN_HELP,
            ""
        },
        sortOptions = false,
        footerHeading = "%nExit codes:%n",
        footer = {
            "    0  shown, even if nobody holds it",
            "    2  the arguments make no sense",
            "    5  the store cannot be reached or used",
            "    6  there is no place for the default store",
            "",
            "JSON: {\"name\", \"kind\", \"held\", \"holders\": [{\"description\", \"since\",",
            "\"clientId\", \"token\", \"remainingMillis\", \"revoked\"}], \"waiters\": [...],",
            "\"keptMillis\"}: for so long the store still grants it to nobody, after a",
            "release with --at-least or in a lock-delay; 0 otherwise. Of a semaphore also",
            "\"permits\": how many are granted at present, and how many each holder has.",
            "In a grace period of the store also \"gracePeriod\"."
        })
public final class ShowCommand extends LookCommand {
    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(names = "--json", description = JSON_HELP)
    private boolean json;

    /**
     * Makes the command.
     *
     * @param out for the lock
     * @param err for errors
     */
    public ShowCommand(Terminal out, Terminal err) {
        super(out, err);
    }

    @Override
    int look(Baton baton) {
        Admin admin = adminFor(baton, name);
        Optional<Grace> grace = Grace.of(admin);
        LockInfo lock = admin.inspect(name).orElseGet(() -> Locks.free(name));
        if (json) {
            Map<String, Object> object = Locks.json(lock);
            grace.ifPresent(now -> object.put(Grace.FIELD, now.json()));
            out.json(object);
            return ExitCode.OK;
        }
        remark(grace);
        if (lock.holders().isEmpty() && lock.waiters().isEmpty()) {
            out.out().println(Locks.line(lock));
        } else {
            table(lock).lines().forEach(out.out()::println);
        }
        return ExitCode.OK;
    }

    private static Table table(LockInfo lock) {
        Table table = new Table(Align.LEFT, Align.LEFT);
        table.row(List.of("name", Printable.of(lock.name())));
        table.row(List.of("kind", lock.kind().toString()));
        if (lock.permits() > 0) {
            table.row(List.of("permits", Locks.permits(lock)));
        }
        if (lock.holders().isEmpty()) {
            table.row(List.of("holder", "nobody" + (Locks.isKept(lock) ? "; " + Locks.keptFor(lock) : "")));
        }
        for (LockInfo.Holder holder : lock.holders()) {
            Who who = Who.of(holder.description());
            table.row(List.of("holder", who.name()));
            if (who.since() != null) {
                table.row(List.of("since", who.since() + ", " + who.age() + " ago"));
            }
            table.row(List.of("client", Printable.of(holder.clientId())));
            table.row(List.of("token", Long.toString(holder.firstToken())));
            if (holder.permits() > 0) {
                table.row(List.of("permits", Integer.toString(holder.permits())));
            }
            table.row(List.of("remaining", Locks.remaining(holder) + ", unless it is renewed"));
        }
        table.row(List.of("waiters", Integer.toString(lock.waiters().size())));
        int place = 0;
        for (String waiter : lock.waiters()) {
            Who who = Who.of(waiter);
            table.row(List.of("  " + ++place, who.name() + (who.since() == null ? "" : ", for " + who.age())));
        }
        return table;
    }
}
