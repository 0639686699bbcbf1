package dev.baton.redis;

import java.io.Closeable;
import java.io.IOException;

/** A connection to one server process. One thread sends and one receives at a time; any thread may close. */
interface Wire extends Closeable {
    /** Sends all bytes. Returns at once as long as the unanswered bytes stay within the bound of the pipeline. */
    void send(byte[] bytes, int length) throws IOException;

    /**
     * Waits for bytes.
     *
     * @return how many arrived; 0 if the time was over
     * @throws IOException if the connection is at its end
     */
    int receive(byte[] into, int offset, int length, long nanos) throws IOException;

    /** Returns the identity of the server process. */
    String runId();

    @Override
    void close();
}
