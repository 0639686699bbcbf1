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
 * Lines read in pages, all of them as of one revision: gRPC takes 4 MB in one answer, and with keys of 3 KB a crowd of
 * 1,300 would be more.
 */
final class Ranges {
    /** Keys and values are 5 KB at the most. */
    static final int PAGE = 500;

    /** The first page of all keys with a prefix. */
    static final GetOption FIRST =
            GetOption.builder().isPrefix(true).withLimit(PAGE).build();

    private final Commands commands;

    Ranges(Commands commands) {
        this.commands = commands;
    }

    /**
     * A line.
     *
     * @param revision as of which
     * @param entries in the order in which they were made
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

    /** A line, of which the first page is there. */
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

    /** The key that comes next behind those that were found. */
    static ByteSequence after(List<KeyValue> found) {
        return found.get(found.size() - 1).getKey().concat(ByteSequence.from(new byte[1]));
    }
}
