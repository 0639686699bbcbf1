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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection that speaks Memcached's text protocol, for several calls at a time: each sends when it comes, and reads
 * its answers in its turn. Every wait ends at a deadline. A call that ends earlier leaves its answers to be dropped, unless
 * it has read a part of one, or the server has been silent for a second, or no other call is under way: then the connection
 * breaks for all, so that no answer is ever taken for that of another command. Thread-safe.
 */
final class Wire implements AutoCloseable {
    /** Reads an answer. */
    private interface Reading {
        void run() throws IOException;
    }

    private static final int BUFFER = 1 << 14;

    /**
     * 32 KiB in transit at a time: they fit into any send buffer, so that a write does not block. A call beside others sends
     * less at a time, so that all of them together are not far above that.
     */
    private static final int WINDOW = 1 << 15;

    private static final int WINDOW_BESIDE_OTHERS = WINDOW / Places.CALLS;

    /** 1 s: a server that has said nothing for so long may never hear again what this connection sends. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Socket socket;
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

    private Wire(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /** Opens a connection. */
    static Wire open(InetSocketAddress unresolved, Deadline deadline) throws IOException {
        InetSocketAddress address = new InetSocketAddress(unresolved.getHostString(), unresolved.getPort());
        if (address.isUnresolved()) {
            throw new UnknownHostException("there is no host " + unresolved.getHostString());
        }
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, millis(deadline));
            return new Wire(socket);
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
        StringBuilder some = new StringBuilder();
        for (int sent = 0; sent < commands.size(); some.setLength(0)) {
            int window = turns.isFree() ? WINDOW : WINDOW_BESIDE_OTHERS;
            while (sent < commands.size() && some.length() < window) {
                some.append(commands.get(sent++));
            }
            int end = sent;
            Turns.Turn turn = send(some.toString(), end - replies.size());
            Deadline written = turn.wasAlone() && distance.mayBeFar() ? Deadline.in(0) : null;
            inTurn(turn, true, deadline, () -> {
                while (replies.size() < end) {
                    replies.add(readReply(deadline));
                    turns.read(turn);
                }
            });
            if (written != null) {
                distance.measured(-written.leftNanos());
            }
        }
        return replies;
    }

    /** Sends a command, and reads the lines of its answer up to the line END. */
    void askLines(String command, Deadline deadline, Consumer<String> each) throws IOException {
        Turns.Turn turn = send(Commands.line(command), 1);
        inTurn(turn, false, deadline, () -> {
            String line = readLine(deadline);
            turns.read(turn);
            refuseError(line, true);
            for (; !line.equals("END"); line = readLine(deadline)) {
                refuseError(line, false);
                each.accept(line);
            }
        });
    }

    private Turns.Turn send(String commands, int answers) throws IOException {
        byte[] bytes = commands.getBytes(StandardCharsets.US_ASCII);
        boolean sent = false;
        try {
            Turns.Turn turn = turns.take(answers, alone -> {
                if (alone) {
                    heard = Deadline.in(0);
                }
                out.write(bytes);
            });
            sent = true;
            return turn;
        } finally {
            if (!sent) {
                close();
            }
        }
    }

    /**
     * Reads the answers of a call in its turn.
     *
     * @param canBeDropped whether the next call can read over the answers
     */
    private void inTurn(Turns.Turn turn, boolean canBeDropped, Deadline deadline, Reading reading) throws IOException {
        boolean first = false;
        boolean whole = false;
        try {
            int unwanted = turns.await(turn, deadline);
            first = true;
            midway = false;
            for (; unwanted > 0; unwanted--) {
                readReply(deadline);
                turns.dropped();
            }
            reading.run();
            turns.pass(turn);
            whole = true;
        } catch (SocketTimeoutException late) {
            whole = canBeDropped && !(first && midway) && !isSilent() && turns.leave(turn);
            throw late;
        } catch (ErrorReply refused) {
            whole = refused.isWhole();
            if (whole) {
                turns.pass(turn);
            }
            throw refused;
        } finally {
            if (!whole) {
                close();
            }
        }
    }

    private boolean isSilent() {
        return heard.leftNanos() < -SILENCE_NANOS;
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

    private static void refuseError(String line, boolean whole) throws ErrorReply {
        String word = line.split(" ", 2)[0];
        if (word.endsWith("ERROR") || word.equals(ErrorReply.BUSY) || word.equals("BADCLASS")) {
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
