package dev.baton.redis;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.HostAndPortMapper;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Opens connections. Jedis connects and authenticates, on a socket that {@link Encryption} encrypts; then the dialer
 * asks the server for its identity and takes the socket over. Between its answers Jedis buffers no bytes, because the
 * server sends nothing that the connection did not ask for.
 *
 * <p>Thread-safe.
 */
final class Dialer {
    /** Leaves room for the overhead of small packets: the unanswered bytes always fit. */
    private static final int SEND_BUFFER = 8 * Pipeline.MOST_IN_FLIGHT;

    private final JedisClientConfig config;
    private final HostAndPort address;
    private final String target;
    private final @Nullable Encryption encryption;
    private final String clientName;

    /**
     * Creates a dialer.
     *
     * @param encryption encrypts instead of Jedis; null for none
     * @param clientName shown to operators in the server's list of clients
     */
    Dialer(RedisAddress address, JedisClientConfig config, @Nullable Encryption encryption, String clientName) {
        this.config = config;
        this.encryption = encryption;
        this.clientName = clientName;
        this.address = new HostAndPort(address.host(), address.port());
        this.target = address.target();
    }

    /** A connection that Jedis still uses. */
    static final class Open implements AutoCloseable {
        private final Connection connection;
        private final Socket socket;
        private final Server server;
        private final String target;
        private final List<String> warnings;

        private Open(Connection connection, Socket socket, Server server, String target, List<String> warnings) {
            this.warnings = warnings;
            this.connection = connection;
            this.socket = socket;
            this.server = server;
            this.target = target;
        }

        Server server() {
            return server;
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

    /** Connects to a server that is fit for locks. */
    Open open() throws StoreFailure {
        Sockets sockets = new Sockets();
        Connection connection = null;
        try {
            connection = new Connection(sockets, config);
            Server server = introduced(connection);
            server.require();
            Socket socket = Objects.requireNonNull(sockets.last, "Jedis made no socket");
            List<String> warnings =
                    Encryption.warnings(encryption, Settings.hasPassword(config), socket.getInetAddress(), target);
            return new Open(connection, socket, server, target, warnings);
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
            throw refused;
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
        StoreFailure known = ServerErrors.failure(String.valueOf(failure.getMessage()), target, failure);
        return new StoreFailure(Effect.NONE, known.reason(), String.valueOf(known.getMessage()), failure);
    }

    private static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    /** Remembers the socket that Jedis uses. */
    private final class Sockets implements JedisSocketFactory {
        private final JedisSocketFactory factory = new DefaultJedisSocketFactory(address, config);
        private @Nullable Socket last;

        @Override
        public Socket createSocket() {
            Socket socket = factory.createSocket();
            try {
                socket.setSendBufferSize(SEND_BUFFER);
                last = encryption == null ? socket : encrypt(socket, encryption);
                return last;
            } catch (IOException | GeneralSecurityException e) {
                closeQuietly(socket);
                throw new JedisConnectionException("the connection broke at once", e);
            }
        }

        private Socket encrypt(Socket socket, Encryption with) throws IOException, GeneralSecurityException {
            HostAndPortMapper mapper = config.getHostAndPortMapper();
            HostAndPort mapped = mapper == null ? null : mapper.getHostAndPort(address);
            HostAndPort reached = mapped == null ? address : mapped;
            return with.over(socket, reached.getHost(), reached.getPort());
        }
    }
}
