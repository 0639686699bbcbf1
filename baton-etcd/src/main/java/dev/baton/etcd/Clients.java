package dev.baton.etcd;

import com.google.common.util.concurrent.MoreExecutors;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Creates jetcd's client for an address. */
final class Clients {
    /** Servers refuse pings that come more often than every 5 s. */
    private static final Duration PING = Duration.ofSeconds(10);

    private static final Duration PING_ANSWER = Duration.ofSeconds(3);
    /** A member without a leader reports it after 5 s. Callers have own time limits; this ends calls they gave up. */
    private static final long CALL_MILLIS = 3_000;

    private static final String WATCH = "etcdserverpb.Watch";

    private Clients() {}

    static Client make(EtcdAddress address, Duration connectTimeout) {
        ClientBuilder builder = Client.builder()
                .target("ip:///" + String.join(",", address.servers()))
                // The next call goes to another member, because a member without a leader keeps its callers waiting.
                .loadBalancerPolicy("round_robin")
                // A missing member fails the call at once; the driver must not retry.
                .waitForReady(false)
                // For a call that was refused because its authentication token was too old; reads, once.
                .retryMaxAttempts(1)
                .connectTimeout(connectTimeout)
                .keepaliveTime(PING)
                .keepaliveTimeout(PING_ANSWER)
                // The calling thread sends transactions: sending does not block, and jetcd would hand each one to a
                // thread of its own.
                .executorService(MoreExecutors.newDirectExecutorService())
                .interceptor(new CallLimit());
        if (address.user() != null && address.password() != null) {
            builder.user(bytes(address.user())).password(bytes(address.password()));
        }
        if (address.tls() != null) {
            builder.sslContext(context(address.tls()));
        }
        return builder.build();
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    private static SslContext context(EtcdAddress.Tls tls) {
        try {
            SslContextBuilder builder = GrpcSslContexts.forClient();
            File cert = file(tls.cert());
            File key = file(tls.key());
            if (tls.ca() != null) {
                builder.trustManager(file(tls.ca()));
            }
            if (cert != null && key != null) {
                builder.keyManager(cert, key);
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "ca, cert and key of an etcd address are files in PEM, the key in PKCS#8 without a password: "
                            + unreadable.getMessage(),
                    unreadable);
        }
    }

    private static @Nullable File file(@Nullable Path path) {
        return path == null ? null : path.toFile();
    }

    /** Gives every call a deadline, except watches, which have none. */
    private static final class CallLimit implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            boolean endless = WATCH.equals(method.getServiceName()) || options.getDeadline() != null;
            return next.newCall(
                    method, endless ? options : options.withDeadlineAfter(CALL_MILLIS, TimeUnit.MILLISECONDS));
        }
    }
}
