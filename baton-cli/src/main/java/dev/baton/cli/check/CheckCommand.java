package dev.baton.cli.check;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.StoreException;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.Grace;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.store.StoreOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton check}. */
@Command(
        name = "check",
        description = {
            "Says whether a store is fit for locks, and what to change.",
            "",
            "What the store is and how it keeps its data, what Baton promises on it, how far away it is, and one line for"
                    + " each thing to change. It takes and frees a lock of a name that nobody else uses, up to fifty"
                    + " times, and makes the namespace where there is none.",
            "",
            "A difference between the store's clock and this machine's does no harm, because leases go by the store's"
                    + " alone. Beyond a second it is something to change: somebody will set one of the clocks right, and"
                    + " a store's clock that is set forward ends leases early. Where leases go by their client's own"
                    + " clock, as with ZooKeeper and etcd, the store's is not asked.",
            ""
        },
        sortOptions = false,
        footerHeading = "%nExit codes:%n",
        footer = {
            "    0  fit",
            "    2  the arguments make no sense",
            "    5  the check failed for another reason",
            "    6  there is no place for the default store",
            "   10  locks work, but something should be changed",
            "   11  the store must not be used as it is: its version, role, settings or data",
            "   12  nobody answers there, or not in time",
            "   13  this user is refused: wrong password, or a right is missing",
            "",
            "JSON: {\"verdict\", \"exitCode\", \"facts\", \"promises\", \"measured\", \"change\"}; the",
            "verdict is fit, change, unfit, unreachable, denied or failed, and \"change\" has",
            "a text for each thing to change. In a grace period of the store also",
            "\"gracePeriod\"."
        })
public final class CheckCommand implements Callable<Integer> {
    /** How long the check retries a refusal of the first command, in case it is temporary. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    @Parameters(arity = "0..1", paramLabel = "URI", description = "The store, as --store takes it.")
    private @Nullable String uri;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Print one JSON object on standard output, and nothing else there.")
    private boolean json;

    private final Terminal out;

    /**
     * Makes the command.
     *
     * @param out for the findings
     */
    public CheckCommand(Terminal out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        if (uri != null) {
            store.use(uri);
        }
        BatonOptions options =
                store.client().storeTimeout(PATIENCE).commandTimeout(PATIENCE).build();
        try (Baton baton = store.connect(options)) {
            return examine(baton);
        } catch (StoreException refused) {
            return refuse(refused, Optional.empty());
        }
    }

    /** In a grace period the store grants no lock to the examination either. */
    private int examine(Baton baton) {
        Optional<Grace> grace = Grace.of(baton.admin());
        try {
            return tell(Findings.of(baton.admin().examine()), grace);
        } catch (StoreException refused) {
            return refuse(refused, grace);
        }
    }

    private int tell(Findings findings, Optional<Grace> grace) {
        if (json) {
            Map<String, Object> object = findings.toJson();
            grace.ifPresent(now -> object.put(Grace.FIELD, now.json()));
            out.json(object);
        } else {
            findings.print(out);
            grace.ifPresent(now -> out.out().println(now.line()));
        }
        return findings.verdict().exitCode();
    }

    private int refuse(StoreException refused, Optional<Grace> grace) {
        Findings findings = Findings.of(refused);
        if (json) {
            return tell(findings, grace);
        }
        String why = refused.getMessage() + grace.map(now -> "; " + now.line()).orElse("");
        throw new CliException(findings.verdict().exitCode(), why, refused);
    }
}
