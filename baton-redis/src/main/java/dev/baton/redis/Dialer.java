package dev.baton.redis;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.HostAndPortMapper;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Opens connections to one address. Jedis authenticates, on a socket that {@link Encryption} encrypts; then the dialer
 * asks the server for its identity and takes the socket over. Between its answers Jedis buffers no bytes, because the
 * server sends nothing that the connection did not ask for. The dialer makes the sockets itself, so that closing it
 * also ends an attempt to reach a host that does not answer.
 *
 * <p>Thread-safe.
 */
final class Dialer implements AutoCloseable {
    /** Leaves room for the overhead of small packets: the unanswered bytes always fit. */
    private static final int SEND_BUFFER = 8 * Outbound.MOST_IN_FLIGHT;

    private final JedisClientConfig config;
    private final Credentials credentials;
    private final HostAndPort address;
    private final String target;
    private final @Nullable Encryption encryption;
    private final String clientName;
    private final Fitness fitness;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates a dialer.
     *
     * @param credentials takes the place of those of the configuration
     * @param encryption encrypts instead of Jedis; null for none
     * @param clientName shown to operators in the server's list of clients
     * @param fitness what the server must be
     */
    Dialer(
            HostAndPort address,
            JedisClientConfig config,
            Credentials credentials,
            @Nullable Encryption encryption,
            String clientName,
            Fitness fitness) {
        this.config = config;
        this.credentials = credentials;
        this.encryption = encryption;
        this.clientName = clientName;
        this.fitness = fitness;
        this.address = address;
        this.target = Hosts.shown(address);
    }

    /** Opens connections to the server that a node stands for. Thread-safe. */
    interface Opener {
        /** Connects to a server that is fit for locks. */
        Open open() throws StoreFailure;
    }

    /** A connection that Jedis still uses. */
    static final class Open implements AutoCloseable {
        private final Connection connection;
        private final Socket socket;
        private final Server server;
        private final UserPassword credentials;
        private final String target;
        private final List<String> warnings;

        private Open(
                Connection connection,
                Socket socket,
                Server server,
                UserPassword credentials,
                String target,
                List<String> warnings) {
            this.credentials = credentials;
            this.warnings = warnings;
            this.connection = connection;
            this.socket = socket;
            this.server = server;
            this.target = target;
        }

        Server server() {
            return server;
        }

        /** Returns what the connection was authenticated with. */
        UserPassword credentials() {
            return credentials;
        }

        /** Returns the risks on the way to the server. */
        List<String> warnings() {
            return warnings;
        }

        /** Sends one command, before the wire is taken. */
        Object ask(Command command, Object... arguments) throws StoreFailure {
            return Dialer.ask(connection, target, command, arguments);
        }

        /**
         * Sends many commands in one piece, before the wire is taken.
         *
         * @return the answers, in order; an answer may be a {@link StoreFailure}, which means that its command had no
         *     effect
         */
        List<Object> askAll(List<CommandArguments> commands) throws StoreFailure {
            return Dialer.askAll(connection, target, commands);
        }

        /** Takes the socket from Jedis. */
        Wire wire() throws StoreFailure {
            try {
                return new SocketWire(socket, server.runId());
            } catch (IOException e) {
                throw new StoreFailure(
                        Effect.NONE, Reason.UNREACHABLE, "the connection to " + target + " broke at once", e);
            }
        }

        @Override
        public void close() {
            closeQuietly(connection);
        }
    }

    /** Connects to a server that is fit. If it refuses the credentials, tries those that replace them. */
    Open open() throws StoreFailure {
        UserPassword known = credentials.now();
        try {
            return open(known);
        } catch (StoreFailure refused) {
            if (refused.reason() != Reason.DENIED) {
                throw refused;
            }
            UserPassword newer = credentials.insteadOf(known);
            if (newer.equals(known)) {
                throw credentials.explained(refused);
            }
            return open(newer);
        }
    }

    private Open open(UserPassword login) throws StoreFailure {
        sockets.removeIf(Socket::isClosed);
        Sockets made = new Sockets();
        Connection connection = null;
        try {
            connection = new Connection(made, new Login(config, login));
            Server server = introduced(connection);
            fitness.require(server);
            Socket socket = Objects.requireNonNull(made.last, "Jedis made no socket");
            List<String> warnings =
                    Encryption.warnings(encryption, login.hasPassword(), socket.getInetAddress(), target);
            return new Open(connection, socket, server, login, target, warnings);
        } catch (JedisException failure) {
            closeQuietly(connection);
            throw failure(failure, target);
        } catch (StoreFailure unfit) {
            closeQuietly(connection);
            throw unfit;
        }
    }

    private Server introduced(Connection connection) throws StoreFailure {
        List<Object> answers =
                askAll(connection, target, List.of(line(Command.CLIENT, "SETNAME", clientName), line(Command.INFO)));
        Object info = answers.get(1);
        if (info instanceof StoreFailure refused) {
            throw Server.withoutInfo(refused, target);
        }
        return Server.of(RespReader.text(info), target);
    }

    private static void closeQuietly(@Nullable Connection connection) {
        if (connection == null) {
            return;
        }
        try {
            connection.close();
        } catch (JedisException e) {
            // Jedis sends what it still holds before it closes the socket, and throws where the peer is gone. It closes
            // the socket all the same, and an exception from here would hide why the connection is given up.
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The socket is useless either way.
        }
    }

    private static Object ask(Connection connection, String target, Command command, Object... arguments)
            throws StoreFailure {
        try {
            return connection.executeCommand(line(command, arguments));
        } catch (JedisException failure) {
            throw failure(failure, target);
        }
    }

    private static List<Object> askAll(Connection connection, String target, List<CommandArguments> commands)
            throws StoreFailure {
        try {
            commands.forEach(connection::sendCommand);
            List<Object> answers = new ArrayList<>();
            for (Object answer : connection.getMany(commands.size())) {
                answers.add(answer instanceof JedisException refused ? failure(refused, target) : answer);
            }
            return answers;
        } catch (JedisException failure) {
            throw failure(failure, target);
        }
    }

    static CommandArguments line(Command command, Object... arguments) {
        CommandArguments line = new CommandArguments(command);
        for (Object argument : arguments) {
            line.add(argument);
        }
        return line;
    }

    static List<String> texts(Object answer) {
        List<String> texts = new ArrayList<>();
        if (answer instanceof List<?> list) {
            list.forEach(each -> texts.add(RespReader.text(each)));
        }
        return texts;
    }

    /** Builds the failure; no command with an effect was sent yet. */
    private static StoreFailure failure(JedisException failure, String target) {
        if (failure instanceof JedisConnectionException) {
            return new StoreFailure(
                    Effect.NONE,
                    Reason.UNREACHABLE,
                    "cannot connect to Redis at " + target + " (" + root(failure)
                            + "): is it running there, and reachable from here? Is it TLS (rediss://) on one side only?",
                    failure);
        }
        String message = String.valueOf(failure.getMessage());
        JedisException cause = ServerErrors.repeatsCommand(message) ? null : failure;
        StoreFailure known = ServerErrors.failure(message, target, cause);
        return new StoreFailure(Effect.NONE, known.reason(), String.valueOf(known.getMessage()), cause);
    }

    private static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    /** Ends all connections that it opened or is opening, and opens no more. */
    @Override
    public void close() {
        closed = true;
        sockets.forEach(Dialer::closeQuietly);
    }

    /** Makes the socket that Jedis uses, and remembers it. */
    private final class Sockets implements JedisSocketFactory {
        private @Nullable Socket last;

        @Override
        public Socket createSocket() {
            HostAndPortMapper mapper = config.getHostAndPortMapper();
            HostAndPort mapped = mapper == null ? null : mapper.getHostAndPort(address);
            HostAndPort reached = mapped == null ? address : mapped;
            Socket socket = reach(reached);
            try {
                socket.setSendBufferSize(SEND_BUFFER);
                last = encryption == null ? socket : encryption.over(socket, reached.getHost(), reached.getPort());
                return last;
            } catch (IOException | GeneralSecurityException e) {
                closeQuietly(socket);
                throw new JedisConnectionException("the connection broke at once", e);
            }
        }

        /** Tries the host's addresses in turn. */
        private Socket reach(HostAndPort reached) {
            try {
                IOException failed = null;
                for (InetAddress each : InetAddress.getAllByName(reached.getHost())) {
                    try {
                        return connected(new InetSocketAddress(each, reached.getPort()));
                    } catch (IOException e) {
                        failed = e;
                    }
                }
                throw failed == null ? new UnknownHostException(reached.getHost()) : failed;
            } catch (UnknownHostException e) {
                throw new JedisConnectionException("no such host", new IOException("no such host", e));
            } catch (IOException e) {
                throw new JedisConnectionException("not reached", e);
            }
        }

        private Socket connected(InetSocketAddress to) throws IOException {
            Socket socket = new Socket();
            // Before the look at the flag: close() sets the flag first, so one of the two sees the other.
            sockets.add(socket);
            try {
                if (closed) {
                    throw new IOException("not needed any more");
                }
                socket.setReuseAddress(true);
                socket.setKeepAlive(true);
                socket.setTcpNoDelay(true);
                // A closed connection leaves nothing behind.
                socket.setSoLinger(true, 0);
                socket.connect(to, config.getConnectionTimeoutMillis());
                socket.setSoTimeout(config.getSocketTimeoutMillis());
                return socket;
            } catch (IOException | RuntimeException e) {
                closeQuietly(socket);
                throw e;
            }
        }
    }
}
