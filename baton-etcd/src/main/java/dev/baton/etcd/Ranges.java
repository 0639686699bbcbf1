package dev.baton.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Queues read in pages, all of them at one revision: gRPC accepts 4 MB in one answer, and with keys of 3 KB a queue of
 * 1,300 would exceed that.
 */
final class Ranges {
    /** Keys and values are 5 KB at most. */
    static final int PAGE = 500;

    /** The first page of all keys with a prefix. */
    static final GetOption FIRST =
            GetOption.builder().isPrefix(true).withLimit(PAGE).build();

    /** The first entries, if many queues are read in one transaction: most queues are shorter. */
    static final GetOption FIRST_OF_MANY =
            GetOption.builder().isPrefix(true).withLimit(PAGE / Combiner.MOST).build();

    private final Commands commands;

    Ranges(Commands commands) {
        this.commands = commands;
    }

    /**
     * A queue.
     *
     * @param revision the revision that was read
     * @param entries in the order of their creation
     */
    record Line(long revision, List<KeyValue> entries) {
        static Line of(long revision, List<KeyValue> found) {
            List<KeyValue> entries = new ArrayList<>(found);
            entries.sort(Comparator.comparingLong(KeyValue::getCreateRevision));
            return new Line(revision, entries);
        }
    }

    CompletableFuture<Line> line(String prefix) {
        return commands.get("looking at a line", Keys.bytes(prefix), FIRST)
                .thenCompose(first -> line(prefix, first, first.getHeader().getRevision()));
    }

    /** Returns a queue whose first page has been read. */
    CompletableFuture<Line> line(String prefix, GetResponse first, long revision) {
        if (!first.isMore()) {
            return CompletableFuture.completedFuture(Line.of(revision, first.getKvs()));
        }
        return more(prefix, revision, new ArrayList<>(first.getKvs())).thenApply(all -> Line.of(revision, all));
    }

    private CompletableFuture<List<KeyValue>> more(String prefix, long revision, List<KeyValue> found) {
        GetOption option = GetOption.builder()
                .withRange(Keys.bytes(Keys.afterAll(prefix)))
                .withLimit(PAGE)
                .withRevision(revision)
                .build();
        return commands.get("looking at a line", after(found), option).thenCompose(page -> {
            found.addAll(page.getKvs());
            return page.isMore() && !page.getKvs().isEmpty()
                    ? more(prefix, revision, found)
                    : CompletableFuture.completedFuture(found);
        });
    }

    /** Returns the key that comes next after those that were found. */
    static ByteSequence after(List<KeyValue> found) {
        return found.get(found.size() - 1).getKey().concat(ByteSequence.from(new byte[1]));
    }
}
