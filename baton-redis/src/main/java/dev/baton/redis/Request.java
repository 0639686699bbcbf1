package dev.baton.redis;

/** A command, by its script's hash or with its whole text. */
@FunctionalInterface
interface Request extends Call.Encoder {
    void write(RespWriter out, Wire wire, boolean whole);

    @Override
    default void encode(RespWriter out, Wire wire) {
        write(out, wire, false);
    }

    /** Returns the same command with the script's whole text, to send it to a server that does not know the script. */
    default Request whole() {
        return (out, wire, any) -> write(out, wire, true);
    }
}
