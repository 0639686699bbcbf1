package dev.baton.jdbc;

import dev.baton.spi.StoreFailure;
import java.util.List;

/** A parsed URI: the dialect, and the database to connect to. */
interface Address {
    /** Returns the dialect of the database. */
    Dialect dialect();

    /** Returns the database as messages and logs show it; never contains a secret. */
    String target();

    /** Returns the address for the driver. */
    String url();

    /** Returns how many connections serve a client's calls at the same time. */
    int connections();

    /** Returns the statements for every new connection, with the options of the address filled in. */
    List<String> setup();

    /** Refuses a database that cannot be used, with a reason that the operator can act on. */
    void check() throws StoreFailure;
}
