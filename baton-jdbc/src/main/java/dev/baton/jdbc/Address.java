package dev.baton.jdbc;

import dev.baton.spi.StoreFailure;
import java.util.List;

/** What a URI names: a dialect, and a database to connect to. */
interface Address {
    /** Its dialect. */
    Dialect dialect();

    /** What it connects to, for people: never a secret. */
    String target();

    /** The address for the driver. */
    String url();

    /** Statements for every new connection, with the options of the address. */
    List<String> setup();

    /** Refuses what cannot be used, with a reason that people can act on. */
    void check() throws StoreFailure;
}
