package dev.baton.etcd;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The removals of this client that are in transit. gRPC keeps no order between calls, and of two removals of the same
 * entry the later may take effect first. Thread-safe.
 */
final class Removals {
    private final Map<String, CompletableFuture<?>> ofEntries = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<?>> ofLines = new ConcurrentHashMap<>();

    /** Sends a removal after the previous one of the same entry has ended, successful or not. */
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

    /** Records a removal that needs no turn, since no caller asks whether it found anything. */
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

    /** Completes when all earlier removals in a queue have ended; null if none is in transit. */
    @Nullable
    CompletableFuture<?> in(String name) {
        return ofLines.get(name);
    }
}
