package dev.baton.cli.look;

import dev.baton.Admin;
import dev.baton.Baton;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Grace;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.store.StoreOptions;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** The common part of the commands of this package: a store, and two output formats. */
abstract class LookCommand implements Callable<Integer> {
    static final String JSON_HELP = "Print one JSON object on standard output, and nothing else there.";
    static final String TOKEN_HELP = "token: what the holder shows to the resource, which refuses an older one. It is"
            + " the first one of the hold (the store's own number x 256); leases that are handed on within the holder's"
            + " process count on from it.";

    @Mixin
    private StoreOptions store = new StoreOptions();

    final Terminal out;
    final Terminal err;

    LookCommand(Terminal out, Terminal err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        try (Baton baton = store.connect(store.client().build())) {
            return look(baton);
        }
    }

    /** Runs the command, and returns the exit code. */
    abstract int look(Baton baton);

    /** Prints one line about a grace period. */
    void remark(Optional<Grace> grace) {
        grace.ifPresent(now -> err.out().println("baton: " + now.line()));
    }

    /** Returns the administration, after checking that this can be the name of a lock. */
    static Admin adminFor(Baton baton, String name) {
        try {
            baton.lock(name);
            return baton.admin();
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, "NAME: " + e.getMessage(), e);
        }
    }
}
