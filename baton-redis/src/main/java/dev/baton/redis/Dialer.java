package dev.baton.redis;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Makes connections: Jedis connects, encrypts and authenticates, asks the server who it is, and then hands its socket
 * over. Between its answers Jedis holds no bytes back, because nothing is sent to a connection that did not ask.
 *
 * <p>Thread-safe.
 */
final class Dialer {
    /** With room for the overhead of small packets: what is unanswered always fits. */
    private static final int SEND_BUFFER = 8 * Pipeline.MOST_IN_FLIGHT;

    private final JedisClientConfig config;
    private final HostAndPort address;
    private final String target;
    private final @Nullable SSLSocketFactory encryption;

    /**
     * A dialer.
     *
     * @param encryption encrypts what Jedis does not; null for nothing
     */
    Dialer(RedisAddress address, JedisClientConfig config, @Nullable SSLSocketFactory encryption) {
        this.config = config;
        this.encryption = encryption;
        this.address = new HostAndPort(address.host(), address.port());
        this.target = address.target();
    }

    /** A connection on which Jedis still speaks. */
    static final class Open implements AutoCloseable {
        private final Connection connection;
        private final Socket socket;
        private final Server server;
        private final String target;

        private Open(Connection connection, Socket socket, Server server, String target) {
            this.connection = connection;
            this.socket = socket;
            this.server = server;
            this.target = target;
        }

        Server server() {
            return server;
        }

        /** Asks something, before the wire is taken. */
        Object ask(Command command, Object... arguments) throws StoreFailure {
            return Dialer.ask(connection, target, command, arguments);
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
            connection.close();
        }
    }

    /** Connects to a server that is fit for locks. */
    Open open() throws StoreFailure {
        Sockets sockets = new Sockets();
        Connection connection = null;
        try {
            connection = new Connection(sockets, config);
            Server server = Server.of(RespReader.text(ask(connection, target, Command.INFO)), target);
            server.require();
            return new Open(connection, Objects.requireNonNull(sockets.last, "Jedis made no socket"), server, target);
        } catch (JedisException failure) {
            closeQuietly(connection);
            throw failure(failure, target);
        } catch (StoreFailure unfit) {
            closeQuietly(connection);
            throw unfit;
        }
    }

    private static void closeQuietly(@Nullable Connection connection) {
        if (connection != null) {
            connection.close();
        }
    }

    private static Object ask(Connection connection, String target, Command command, Object... arguments)
            throws StoreFailure {
        try {
            CommandArguments line = new CommandArguments(command);
            for (Object argument : arguments) {
                line.add(argument);
            }
            return connection.executeCommand(line);
        } catch (JedisException failure) {
            throw failure(failure, target);
        }
    }

    static List<String> texts(Object answer) {
        List<String> texts = new ArrayList<>();
        if (answer instanceof List<?> list) {
            list.forEach(each -> texts.add(RespReader.text(each)));
        }
        return texts;
    }

    /** Nothing was asked yet that has an effect. */
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
            } catch (IOException e) {
                throw new JedisConnectionException("the connection broke at once", e);
            }
        }

        private Socket encrypt(Socket socket, SSLSocketFactory factory) throws IOException {
            SSLSocket encrypted = (SSLSocket) factory.createSocket(socket, address.getHost(), address.getPort(), true);
            SSLParameters parameters = encrypted.getSSLParameters();
            // Without it, any certificate that is trusted for anything would do.
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            encrypted.setSSLParameters(parameters);
            encrypted.startHandshake();
            return encrypted;
        }
    }
}
