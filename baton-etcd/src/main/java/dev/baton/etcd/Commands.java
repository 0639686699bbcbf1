package dev.baton.etcd;

import dev.baton.spi.StoreFailure;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * jetcd's commands, whose futures fail with a {@link StoreFailure}. Everything that writes is a transaction: jetcd
 * never resends those, except one that etcd refused because its authentication token was too old.
 */
final class Commands {
    private static final GetOption ALONE = GetOption.builder().build();

    private final Client client;
    private final String target;

    Commands(Client client, String target) {
        this.client = client;
        this.target = target;
        // Creates them now.
        client.getKVClient();
        client.getLeaseClient();
    }

    Client client() {
        return client;
    }

    String target() {
        return target;
    }

    CompletableFuture<TxnResponse> commit(String what, List<Cmp> compares, List<Op> then, List<Op> otherwise) {
        return answer(
                what,
                () -> client.getKVClient()
                        .txn()
                        .If(compares.toArray(Cmp[]::new))
                        .Then(then.toArray(Op[]::new))
                        .Else(otherwise.toArray(Op[]::new))
                        .commit());
    }

    /** Reads the state that the majority knows. */
    CompletableFuture<GetResponse> get(String what, ByteSequence key, GetOption option) {
        return answer(what, () -> client.getKVClient().get(key, option));
    }

    CompletableFuture<GetResponse> get(String what, String key) {
        return get(what, Keys.bytes(key), ALONE);
    }

    CompletableFuture<LeaseGrantResponse> grant(long seconds, long timeoutMillis) {
        return answer(
                "asking for a lease",
                () -> client.getLeaseClient().grant(seconds, timeoutMillis, TimeUnit.MILLISECONDS));
    }

    CompletableFuture<LeaseKeepAliveResponse> keepAlive(long lease) {
        return answer("keeping a lease alive", () -> client.getLeaseClient().keepAliveOnce(lease));
    }

    CompletableFuture<?> revoke(long lease) {
        return answer("ending a lease", () -> client.getLeaseClient().revoke(lease));
    }

    private <T> CompletableFuture<T> answer(String what, Supplier<CompletableFuture<T>> sending) {
        CompletableFuture<T> sent;
        try {
            sent = sending.get();
        } catch (RuntimeException closed) {
            return CompletableFuture.failedFuture(Failures.of(closed, what, target));
        }
        return sent.exceptionallyCompose(failed -> CompletableFuture.failedFuture(Failures.of(failed, what, target)));
    }
}
