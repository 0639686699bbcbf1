package dev.baton.cli.look;

import dev.baton.Admin;
import dev.baton.Baton;
import dev.baton.LockInfo;
import dev.baton.LockInfo.Holder;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.console.Terminal.Style;
import dev.baton.cli.console.Who;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton release}. */
@Command(
        name = "release",
        description = {
            "Takes a lock away from whoever holds it.",
            "",
            "The holder learns of it by its next heartbeat, stops believing in its lease and frees the lock; one that is"
                    + " not heard of any more keeps it until its lease ends. Nobody waits for what the holder is doing.",
            "",
            "With --now the lock is free at once. UNSAFE: until its next heartbeat the old holder goes on believing, and"
                    + " the next one is let in beside it; only a resource that checks fencing tokens keeps its writes"
                    + " out.",
            ""
        },
        sortOptions = false,
        footerHeading = "%nExit codes:%n",
        footer = {
            "    0  taken away",
            "    2  the arguments make no sense, or nobody can be asked and --yes is missing",
            "    5  the store cannot be reached or used; whether anything was done is unknown",
            "    6  there is no place for the default store",
            "    7  nobody held it",
            "    8  not confirmed, or somebody else got the lock meanwhile; nothing was done",
            "",
            "JSON: {\"name\", \"released\", \"now\", \"from\"}; \"from\" is the holder as",
            "'baton show --json' prints it, or null."
        })
public final class ReleaseCommand extends LookCommand {
    private static final String UNSAFE = "UNSAFE: until its next heartbeat the holder goes on believing that it has the"
            + " lock, and the next one is let in beside it; only fencing tokens keep its writes out";

    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(
            names = "--force",
            required = true,
            description = "Required, so that nobody takes a lock from another by accident.")
    private boolean force;

    @Option(names = "--now", description = "Free it at once, without waiting for the holder to hear of it. Unsafe.")
    private boolean now;

    @Option(names = "--yes", description = "Do not ask. Required where there is no terminal to ask on.")
    private boolean yes;

    @Option(names = "--json", description = JSON_HELP)
    private boolean json;

    /**
     * Makes the command.
     *
     * @param out for the result
     * @param err for the question
     */
    public ReleaseCommand(Terminal out, Terminal err) {
        super(out, err);
    }

    @Override
    public Integer call() {
        if (!force) {
            throw new CliException(ExitCode.USAGE, "--force=false takes nothing away", null);
        }
        if (!yes && !Terminal.canAsk()) {
            throw new CliException(
                    ExitCode.USAGE, "there is no terminal to ask on: add --yes to take the lock away unasked", null);
        }
        return super.call();
    }

    @Override
    int look(Baton baton) {
        Admin admin = adminFor(baton, name);
        Optional<LockInfo> found = admin.inspect(name);
        Optional<Holder> seen = found.flatMap(lock -> lock.holders().stream().findFirst());
        Optional<LockInfo> kept = found.filter(Locks::isKept);
        if (!yes) {
            seen.ifPresent(holder -> confirm(admin, holder));
            kept.ifPresent(lock -> confirm(admin, lock));
        }
        boolean taken = seen.isPresent() || kept.isPresent();
        Optional<Holder> from = taken ? force(admin) : Optional.empty();
        report(from, kept);
        return from.isPresent() || kept.isPresent() ? ExitCode.OK : ExitCode.NOT_HELD;
    }

    private Optional<Holder> force(Admin admin) {
        return now ? admin.forceReleaseNow(name) : admin.forceRelease(name);
    }

    private void confirm(Admin admin, LockInfo kept) {
        err.out().println('"' + Printable.of(name) + "\" is held by nobody, and " + Locks.keptFor(kept) + '.');
        ask("Let the next one have it?");
        if (holder(admin).isPresent()) {
            throw heldByNow();
        }
    }

    private CliException heldByNow() {
        return new CliException(
                ExitCode.NOT_CONFIRMED,
                "somebody else holds \"" + name + "\" by now; nothing was done: look again with baton show",
                null);
    }

    private void ask(String question) {
        err.out().print(question + " [y/N] ");
        err.out().flush();
        if (!Terminal.readAnswer().matches("(?i)y|yes")) {
            throw new CliException(ExitCode.NOT_CONFIRMED, "not confirmed; nothing was done", null);
        }
    }

    private Optional<Holder> holder(Admin admin) {
        return admin.inspect(name)
                .map(LockInfo::holders)
                .flatMap(holders -> holders.stream().findFirst());
    }

    private void confirm(Admin admin, Holder seen) {
        err.out()
                .println('"' + Printable.of(name) + "\" is held by "
                        + Who.of(seen.description()).line());
        err.out().println(now ? err.paint(Style.RED, UNSAFE + '.') : wait(seen));
        ask("Take it away?");
        if (holder(admin)
                .map(Holder::storeToken)
                .filter(token -> token != seen.storeToken())
                .isPresent()) {
            throw heldByNow();
        }
    }

    private static String wait(Holder holder) {
        return "It is free when the holder has heard of it, or at the latest when its lease ends in "
                + Locks.remaining(holder) + '.';
    }

    private void report(Optional<Holder> from, Optional<LockInfo> kept) {
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("name", name);
            object.put("released", from.isPresent() || kept.isPresent());
            object.put("now", now);
            object.put("from", from.map(Locks::json).orElse(null));
            out.json(object);
        } else if (kept.isPresent() && from.isEmpty()) {
            out.out().println('"' + Printable.of(name) + "\" was " + Locks.keptFor(kept.get()) + ", and is free now.");
        } else if (from.isEmpty()) {
            err.out().println("baton: nobody holds \"" + Printable.of(name) + '"');
        } else {
            out.out()
                    .println('"' + Printable.of(name) + "\" taken from "
                            + Who.of(from.get().description()).line() + ", token "
                            + from.get().firstToken());
            out.out().println(now ? UNSAFE + '.' : wait(from.get()));
        }
    }
}
