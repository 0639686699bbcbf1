package dev.baton.internal.engine;

import dev.baton.BatonException;
import dev.baton.internal.Exceptions;
import dev.baton.spi.Resource;

/** The failures of requests that do not fit the resource of a name. */
public final class InUse {
    private InUse() {}

    /**
     * Returns the failure of a request whose name stands for something else.
     *
     * @param present the resource of the name
     * @param asked the resource that the request is about
     * @return the exception
     */
    public static BatonException as(Resource present, Resource asked) {
        return Exceptions.get()
                .other(
                        "\"" + asked.name() + "\" is in use as a " + present.kind() + " of capacity "
                                + present.capacity()
                                + " and cannot be used as a " + asked.kind() + " of capacity " + asked.capacity()
                                + ": use another name",
                        null);
    }

    /** Returns the failure of a caller that asks for more permits than a semaphore has at present. */
    static BatonException resized(Resource semaphore, int asked, int permits) {
        return Exceptions.get()
                .other(
                        "\"" + semaphore.name() + "\" was resized to " + permits + " of its " + semaphore.capacity()
                                + " permits, so " + asked + " cannot be acquired: ask for fewer, or resize it",
                        null);
    }
}
