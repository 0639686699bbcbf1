package dev.baton.etcd;

import dev.baton.servers.EtcdServer;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Inspects and changes a server directly, with jetcd alone. */
final class ByHand implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 10;

    /** For the server that tests share; open until the JVM ends. */
    private static final class Shared {
        static final ByHand HAND = new ByHand(EtcdServer.shared());
    }

    private final Client client;

    ByHand(EtcdServer server) {
        this(server.uri().replace("etcd://", ""));
    }

    private ByHand(String endpoints) {
        client = Client.builder()
                .target("ip:///" + endpoints)
                .loadBalancerPolicy("round_robin")
                .build();
    }

    /** Asks one member only. */
    static ByHand at(EtcdServer cluster, int member) {
        return new ByHand("127.0.0.1:" + cluster.port(member));
    }

    static ByHand shared() {
        return Shared.HAND;
    }

    Client client() {
        return client;
    }

    static <T> T answer(CompletableFuture<T> future) throws Exception {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    List<KeyValue> keys(String prefix) throws Exception {
        return answer(client.getKVClient()
                        .get(
                                Keys.bytes(prefix),
                                GetOption.builder()
                                        .isPrefix(true)
                                        .withSortField(GetOption.SortTarget.CREATE)
                                        .withSortOrder(GetOption.SortOrder.ASCEND)
                                        .build()))
                .getKvs();
    }

    List<String> names(String prefix) throws Exception {
        return keys(prefix).stream().map(each -> Keys.text(each.getKey())).toList();
    }

    void put(String key, String value) throws Exception {
        answer(client.getKVClient().put(Keys.bytes(key), Keys.bytes(value)));
    }

    void delete(String prefix) throws Exception {
        ByteSequence key = Keys.bytes(prefix);
        answer(client.getKVClient()
                .delete(key, DeleteOption.builder().isPrefix(true).build()));
    }

    void revoke(long lease) throws Exception {
        answer(client.getLeaseClient().revoke(lease));
    }

    /** Compacts everything before now. */
    void compact() throws Exception {
        long revision =
                answer(client.getKVClient().get(Keys.bytes("/any"))).getHeader().getRevision();
        answer(client.getKVClient().compact(revision));
    }

    @Override
    public void close() {
        client.close();
    }
}
