package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.internal.ordered.EntryLabel;
import dev.baton.internal.ordered.EntryNotes;
import dev.baton.servers.EtcdServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import io.etcd.jetcd.kv.PutResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Queues and namespaces that exceed gRPC's limit for one answer, 4 MB. */
class EtcdRangesTest {
    private static final int MANY = 1_500;
    private static final String PREFIX = "/ranges";
    private static final Keys KEYS = Keys.of(PREFIX, EtcdTestClient.NAMESPACE);

    /** Returns a name of 1,023 bytes, which takes 3 KB in a key. */
    private static String name(String first) {
        return first + "\u4e2d".repeat(338);
    }

    /** Creates a ticket directly. Seats count down, so that the order of keys is not the order of creation. */
    private static CompletableFuture<PutResponse> makeTicket(String name, int number) {
        EntryLabel label =
                new EntryLabel(EntryLabel.Sort.TICKET, "f".repeat(32), number, Kind.SEMAPHORE, 1_000_000, 1, 0);
        String key = KEYS.seat(new Seats.Seat(name, "ff", 9_000 - number), EntryLabel.Sort.TICKET);
        EntryNotes notes = new EntryNotes(30_000_000, 7, false, "by hand");
        return ByHand.shared().client().getKVClient().put(Keys.bytes(key), Keys.value(label, notes));
    }

    private interface Making {
        CompletableFuture<PutResponse> make(int number);
    }

    /** Within a hundred the order is undefined. */
    private static void makeMany(Making making) throws Exception {
        for (int from = 0; from < MANY; from += 100) {
            List<CompletableFuture<PutResponse>> puts = new ArrayList<>();
            for (int i = from; i < from + 100; i++) {
                puts.add(making.make(i));
            }
            for (CompletableFuture<PutResponse> each : puts) {
                ByHand.answer(each);
            }
        }
    }

    @Test
    void line_ofMoreThanFitsIntoOneAnswer_isReadInOrder() throws Exception {
        String name = name("line");
        makeMany(number -> makeTicket(name, number));
        try (EtcdTestClient client = new EtcdTestClient(EtcdServer.shared().uri() + PREFIX + "?ttl=20s", "a")) {
            ResourceView view =
                    client.store().inspect(name, EtcdTestClient.TIMEOUT_NANOS).orElseThrow();
            assertThat(view.holds()).hasSize(MANY);
            assertThat(view.holds().stream().map(each -> each.attempt() / 100)).isSorted();
            Resource semaphore = new Resource(name, Kind.SEMAPHORE, 1_000_000);
            assertThat(client.acquire(semaphore, client.next(), Acquire.Mode.TRY))
                    .isInstanceOf(Acquire.Granted.class);
            assertThat(client.acquire(Resource.lock("other"), client.next(), Acquire.Mode.TRY))
                    .isInstanceOf(Acquire.Granted.class);
        } finally {
            ByHand.shared().delete(KEYS.root());
        }
    }

    @Test
    void names_ofMoreThanFitsIntoOneAnswer_areListed() throws Exception {
        makeMany(number -> makeTicket(name(String.format("%04d", number)), number));
        try (EtcdTestClient client = new EtcdTestClient(EtcdServer.shared().uri() + PREFIX + "?ttl=20s", "a")) {
            List<ResourceView> found = client.store().list("", "", MANY, EtcdTestClient.TIMEOUT_NANOS);
            assertThat(found).hasSize(MANY);
            assertThat(found.get(0).resource().name()).startsWith("0000");
            assertThat(client.store().list(name("1234"), "", 5, EtcdTestClient.TIMEOUT_NANOS))
                    .hasSize(1);
        } finally {
            ByHand.shared().delete(KEYS.root());
        }
    }
}
