package dev.baton.cli;

import dev.baton.BatonOptions;
import java.time.Duration;

/** What the clients of tests have in common, which run beside the command. */
public final class TestClients {
    /** They connect also on a machine that is so busy that the first classes of a store take seconds. */
    public static final BatonOptions PATIENT =
            BatonOptions.builder().connectTimeout(Duration.ofSeconds(20)).build();

    private TestClients() {}
}
