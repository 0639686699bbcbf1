package dev.baton.memcached;

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
 * One connection that speaks Memcached's text protocol. Every wait ends at a deadline. After an exception the position
 * in the stream is unknown: the connection must be closed, so that no answer is ever taken for that of another command.
 * Not thread-safe.
 */
final class Wire implements AutoCloseable {
    private static final int BUFFER = 1 << 14;

    /** 32 KiB in transit at a time: they fit into any send buffer, so that a write does not block. */
    private static final int WINDOW = 1 << 15;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;

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
        for (int sent = 0; replies.size() < commands.size(); some.setLength(0)) {
            while (sent < commands.size() && some.length() < WINDOW) {
                some.append(commands.get(sent++));
            }
            send(some.toString());
            while (replies.size() < sent) {
                replies.add(readReply(deadline));
            }
        }
        return replies;
    }

    /** Sends a command, and reads the lines of its answer up to the line END. */
    void askLines(String command, Deadline deadline, Consumer<String> each) throws IOException {
        send(Commands.line(command));
        for (String line = readLine(deadline); !line.equals("END"); line = readLine(deadline)) {
            refuseError(line);
            each.accept(line);
        }
    }

    private void send(String commands) throws IOException {
        out.write(commands.getBytes(StandardCharsets.US_ASCII));
    }

    private Reply readReply(Deadline deadline) throws IOException {
        String line = readLine(deadline);
        if (line.startsWith("SERVER_ERROR")) {
            return Reply.error(line);
        }
        refuseError(line);
        String[] words = line.split(" ", -1);
        return Reply.of(words, words[0].equals("VA") ? readValue(Integer.parseInt(words[1]), deadline) : null);
    }

    private static void refuseError(String line) throws ErrorReply {
        String word = line.split(" ", 2)[0];
        if (word.endsWith("ERROR") || word.equals(ErrorReply.BUSY) || word.equals("BADCLASS")) {
            throw new ErrorReply(line);
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
            position = 0;
            limit = count;
        }
        return buffer[position++];
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is no longer used.
        }
    }
}
