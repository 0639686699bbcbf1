package dev.baton.memcached;

import dev.baton.internal.store.Distance;
import dev.baton.spi.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection that speaks Memcached's text protocol, for several calls at a time: each sends when it comes, and reads
 * its answers in its turn. Every wait ends at a deadline. A call that ends earlier leaves its answers to be dropped, unless
 * it has read a part of one, or the server has been silent for a second, or no other call waits for an answer: then the
 * connection breaks for all, so that no answer is ever taken for that of another command. Thread-safe.
 */
final class Wire implements AutoCloseable {
    /** Reads an answer. */
    private interface Reading {
        void run() throws IOException;
    }

    /** The first words of answers to commands that were not carried out. */
    private static final Set<String> REFUSALS =
            Set.of("ERROR", "CLIENT_ERROR", "SERVER_ERROR", ErrorReply.BUSY, "BADCLASS");

    private static final int BUFFER = 1 << 14;

    /** 32 KiB in transit at a time: they fit into any send buffer, so that a write does not block. */
    private static final int WINDOW = 1 << 15;

    /** 2 KiB, which a call may send even if others have filled the window: so all of them are not far above it. */
    private static final int LEAST_WINDOW = WINDOW / Places.CALLS;

    /** 1 s: a server that has said nothing for so long may never hear again what this connection sends. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Socket socket;
    private final long silenceNanos;
    private final InputStream in;
    private final OutputStream out;
    private final Turns turns = new Turns();
    private final Distance distance = new Distance();

    /** When the server was heard last, or the first of the commands that it owes answers to was sent. */
    private volatile Deadline heard = Deadline.in(0);

    // Of the call whose turn it is.
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;
    private boolean midway;

    private Wire(Socket socket, long silenceNanos) throws IOException {
        this.socket = socket;
        this.silenceNanos = silenceNanos;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /** Opens a connection. */
    static Wire open(InetSocketAddress unresolved, Deadline deadline) throws IOException {
        return open(unresolved, deadline, SILENCE_NANOS);
    }

    /** Opens a connection that bears another silence than one of a second. */
    static Wire open(InetSocketAddress unresolved, Deadline deadline, long silenceNanos) throws IOException {
        InetSocketAddress address = new InetSocketAddress(unresolved.getHostString(), unresolved.getPort());
        if (address.isUnresolved()) {
            throw new UnknownHostException("there is no host " + unresolved.getHostString());
        }
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, millis(deadline));
            return new Wire(socket, silenceNanos);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static int millis(Deadline deadline) throws SocketTimeoutException {
        long left = deadline.leftNanos();
        if (left <= 0) {
            throw new SocketTimeoutException("no answer in time");
        }
        return (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(left) + 1);
    }

    /** Sends commands, and reads an answer for each. */
    List<Reply> ask(List<String> commands, Deadline deadline) throws IOException {
        List<Reply> replies = new ArrayList<>(commands.size());
        while (replies.size() < commands.size()) {
            // Before the write: a pause behind it would make a far server look near, for good.
            Deadline asked = distance.mayBeFar() ? Deadline.in(0) : null;
            Turns.Turn turn = send(Turns.Answer.REPLY, inTransit -> write(commands, replies.size(), inTransit));
            inTurn(turn, deadline, () -> {
                while (!turn.isOver()) {
                    replies.add(readReply(deadline));
                    turns.read(turn);
                }
                if (asked != null && turn.wasAlone()) {
                    distance.measured(-asked.leftNanos());
                }
            });
        }
        return replies;
    }

    /** Sends a command, and reads the lines of its answer up to the line END. */
    void askLines(String command, Deadline deadline, Consumer<String> each) throws IOException {
        Turns.Turn turn = send(Turns.Answer.LINES, inTransit -> write(List.of(Commands.line(command)), 0, inTransit));
        inTurn(turn, deadline, () -> {
            readLines(deadline, each);
            turns.read(turn);
        });
    }

    private Turns.Turn send(Turns.Answer form, Turns.Sending sending) throws IOException {
        boolean sent = false;
        try {
            Turns.Turn turn = turns.take(form, sending);
            sent = true;
            return turn;
        } finally {
            if (!sent) {
                close();
            }
        }
    }

    /** Writes the next command, and more of them if there is room. */
    private Turns.Sent write(List<String> commands, int first, int inTransit) throws IOException {
        if (inTransit == 0) {
            heard = Deadline.in(0);
        }
        int most = Math.max(LEAST_WINDOW, WINDOW - inTransit);
        StringBuilder some = new StringBuilder();
        int next = first;
        do {
            some.append(commands.get(next++));
        } while (next < commands.size() && some.length() < most);
        out.write(some.toString().getBytes(StandardCharsets.US_ASCII));
        return new Turns.Sent(next - first, some.length());
    }

    /** Reads the answers of a call in its turn. */
    private void inTurn(Turns.Turn turn, Deadline deadline, Reading reading) throws IOException {
        boolean first = false;
        boolean whole = false;
        try {
            turns.await(turn, deadline);
            first = true;
            midway = false;
            for (Turns.Answer each = turns.nextUnwanted(); each != null; each = turns.nextUnwanted()) {
                drop(each, deadline);
                turns.dropped();
            }
            reading.run();
            turns.pass(turn);
            whole = true;
        } catch (SocketTimeoutException late) {
            whole = !(first && midway) && !isSilent() && turns.leave(turn);
            throw late;
        } catch (ErrorReply refused) {
            whole = refused.isWhole();
            if (whole) {
                turns.read(turn);
                turns.pass(turn);
            }
            throw refused;
        } finally {
            if (!whole) {
                close();
            }
        }
    }

    private void drop(Turns.Answer form, Deadline deadline) throws IOException {
        try {
            if (form == Turns.Answer.REPLY) {
                readReply(deadline);
            } else {
                readLines(deadline, line -> {});
            }
        } catch (ErrorReply refused) {
            if (!refused.isWhole()) {
                throw refused;
            }
            midway = false;
        }
    }

    private boolean isSilent() {
        return heard.leftNanos() < -silenceNanos;
    }

    /**
     * Returns whether another call may use the connection beside the present ones. It may not if the server is near, where a
     * call would wait for the others instead of the network; or if calls have left without their answers: the server may be
     * silent, and what is in transit to it must stay little.
     */
    boolean canBeShared() {
        return distance.isFar() && !turns.isEnded() && !turns.hasUnwanted();
    }

    /** Returns whether the connection is closed. */
    boolean isBroken() {
        return turns.isEnded();
    }

    private Reply readReply(Deadline deadline) throws IOException {
        String line = readLine(deadline);
        Reply reply;
        if (line.startsWith("SERVER_ERROR")) {
            reply = Reply.error(line);
        } else {
            refuseError(line, false);
            String[] words = line.split(" ", -1);
            reply = Reply.of(words, words[0].equals("VA") ? readValue(Integer.parseInt(words[1]), deadline) : null);
        }
        midway = false;
        return reply;
    }

    private void readLines(Deadline deadline, Consumer<String> each) throws IOException {
        String line = readLine(deadline);
        refuseError(line, true);
        for (; !line.equals("END"); line = readLine(deadline)) {
            each.accept(line);
        }
        midway = false;
    }

    private static void refuseError(String line, boolean whole) throws ErrorReply {
        if (REFUSALS.contains(line.split(" ", 2)[0])) {
            throw new ErrorReply(line, whole);
        }
    }

    private String readLine(Deadline deadline) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            byte next = read(deadline);
            if (next == '\n') {
                return line.toString(StandardCharsets.UTF_8).stripTrailing();
            }
            line.write(next);
        }
    }

    private String readValue(int length, Deadline deadline) throws IOException {
        byte[] value = new byte[length];
        for (int i = 0; i < length; i++) {
            value[i] = read(deadline);
        }
        read(deadline);
        read(deadline);
        return new String(value, StandardCharsets.UTF_8);
    }

    private byte read(Deadline deadline) throws IOException {
        if (position == limit) {
            socket.setSoTimeout(millis(deadline));
            int count = in.read(buffer);
            if (count < 0) {
                throw new EOFException("the server closed the connection");
            }
            heard = Deadline.in(0);
            position = 0;
            limit = count;
        }
        midway = true;
        return buffer[position++];
    }

    /** Ends all calls that are under way. */
    @Override
    public void close() {
        // First the socket, which ends a write that is under way.
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is no longer used.
        }
        turns.end();
    }
}
