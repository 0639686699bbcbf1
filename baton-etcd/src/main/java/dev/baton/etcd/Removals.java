package dev.baton.etcd;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Removals of this client's that are on their way. gRPC keeps no order between calls, and of two that remove the same,
 * the later may take effect first. Thread-safe.
 */
final class Removals {
    private final Map<String, CompletableFuture<?>> ofEntries = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<?>> ofLines = new ConcurrentHashMap<>();

    /** Sends a removal when the one of the same entry that was called before it has ended, however it did. */
    <T> CompletableFuture<T> inTurn(String name, String entry, Supplier<CompletableFuture<T>> sending) {
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        CompletableFuture<?> before = ofEntries.put(entry, ended);
        add(name, ended);
        CompletableFuture<T> sent = before == null ? sending.get() : before.thenCompose(done -> sending.get());
        return sent.whenComplete((was, failed) -> {
            ofEntries.remove(entry, ended);
            ended.complete(true);
        });
    }

    /** A removal that needs no turn, since nobody asks whether it found anything. */
    <T> CompletableFuture<T> at(String name, CompletableFuture<T> sent) {
        add(name, sent.handle((done, failed) -> true));
        return sent;
    }

    private void add(String name, CompletableFuture<?> ended) {
        if (!ended.isDone()) {
            CompletableFuture<?> all = ofLines.merge(name, ended, CompletableFuture::allOf);
            CompletableFuture<?> unused = all.whenComplete((done, failed) -> ofLines.remove(name, all));
        }
    }

    /** When all that were called before have ended in a line; null if none is on its way. */
    @Nullable
    CompletableFuture<?> in(String name) {
        return ofLines.get(name);
    }
}
