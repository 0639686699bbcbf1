package dev.baton.chaos.history;

import dev.baton.tck.history.Portion;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Writes one line for each event. Each line goes to the operating system at once, so that a process that is killed
 * loses nothing that it wrote before. Thread-safe.
 */
public final class HistoryWriter implements AutoCloseable {
    /** Not a channel, which an interrupt would close. */
    private final OutputStream file;

    private final AtomicLong holds = new AtomicLong();
    private final AtomicLong runs = new AtomicLong();

    /** Creates a file. */
    public HistoryWriter(Path path) throws IOException {
        if (!path.toFile().createNewFile()) {
            throw new FileAlreadyExistsException(path.toString());
        }
        file = new FileOutputStream(path.toFile(), true);
    }

    /** Records a grant, before its holder does anything. Returns the number of the hold. */
    public long began(String name, long token, String way, long askedNanos, long firstNanos, Portion portion) {
        long number = holds.incrementAndGet();
        line(
                Lines.BEGAN,
                number,
                name,
                token,
                way,
                askedNanos,
                firstNanos,
                portion.side(),
                portion.weight(),
                portion.capacity());
        return number;
    }

    /** Records the end of a hold. */
    public void ended(long number, long lastNanos, long goneNanos, Hold.End end, Hold.Work work) {
        line(
                Lines.ENDED,
                number,
                lastNanos,
                goneNanos,
                end,
                work.fence(),
                work.read(),
                work.wrote(),
                work.sure() ? 1 : 0);
    }

    /** Records what a holder read and wrote as the note of a name. */
    public void noted(long number, Noted.Read read, Noted.Write write) {
        line(Lines.NOTED, number, read.isKnown() ? 1 : 0, write, read.note());
    }

    /**
     * Records that a job's action begins, before it does anything.
     *
     * @param lastSuccess the fire time of the last success that its runner has found in the record
     * @param held whether its runner holds the job's lock; asked after the time of the beginning has been taken
     * @return the number of the run
     */
    public long run(String job, long fireTime, int attempt, long lastSuccess, BooleanSupplier held) {
        long number = runs.incrementAndGet();
        long began = HostTime.nanos();
        line(Lines.RUN, number, job, fireTime, attempt, lastSuccess, began, held.getAsBoolean() ? 1 : 0);
        return number;
    }

    /** Records that a job's action has come to its end. */
    public void worked(long number) {
        line(Lines.WORKED, number, HostTime.nanos());
    }

    /** Records that the success of a run is recorded. */
    public void ran(long number) {
        line(Lines.RAN, number, HostTime.nanos());
    }

    /** Records that a holder was told of its loss. */
    public void lost(long number, String cause) {
        line(Lines.LOST, number, HostTime.nanos(), cause);
    }

    /** Records an exception of a caller who asked at a time. */
    public void failed(String name, long askedNanos, Throwable why) {
        String message = String.valueOf(why.getMessage()).replaceAll("\\R", " ");
        long now = HostTime.nanos();
        line(Lines.FAILED, now, now - askedNanos, name, why.getClass().getName(), message);
    }

    /** Records that a request ended without the lock. */
    public void refused() {
        line(Lines.REFUSED);
    }

    /** Records how often the client has told something. */
    public void said(long count, String text) {
        line(Lines.SAID, count, text);
    }

    /** Records a caller's last request. */
    public void last(int thread, String name, long nanos, boolean granted) {
        line(Lines.LAST, thread, name, nanos, granted ? 1 : 0);
    }

    private void line(Object... words) {
        StringBuilder line = new StringBuilder(96);
        for (Object word : words) {
            line.append(word).append(' ');
        }
        line.setCharAt(line.length() - 1, '\n');
        try {
            file.write(line.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
