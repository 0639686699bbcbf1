package dev.baton.chaos.server;

/** A store on several servers. Clients know all of them, so no single network lies between. */
interface ManyServersSite extends Site {
    @Override
    default boolean hasNetwork() {
        return false;
    }

    @Override
    default int port() {
        throw new IllegalStateException("no single network lies before " + this);
    }
}
