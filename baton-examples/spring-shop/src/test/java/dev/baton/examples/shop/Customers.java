package dev.baton.examples.shop;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Customers that come at a steady rate, each with one order and one request for it: they do not ask again. Their balancer sends
 * a request to one of the open instances.
 */
final class Customers implements AutoCloseable {
    private final HttpClient http;
    private final List<Instance> instances;
    private final int skus;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong slowest = new AtomicLong();
    private final Map<String, Integer> answers = new ConcurrentHashMap<>();
    private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    Customers(HttpClient http, List<Instance> instances, int skus) {
        this.http = http;
        this.instances = instances;
        this.skus = skus;
    }

    void come(int eachSecond) {
        Object unused = clock.scheduleAtFixedRate(this::comeOne, 0, 1_000_000 / eachSecond, TimeUnit.MICROSECONDS);
    }

    private void comeOne() {
        int number = next.getAndIncrement();
        Instance instance = anOpenOne(number);
        if (instance == null) {
            failures.add("order " + number + ": no instance is open");
            return;
        }
        String order = "order-" + number;
        HttpRequest request = HttpRequest.newBuilder(instance.uri("/stock/sku-" + number % skus + "/orders/" + order))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(60))
                .build();
        AtomicBoolean killed = instance.fate();
        long start = System.nanoTime();
        waiting.incrementAndGet();
        Object unused = http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .whenComplete((answer, failure) -> {
                    slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
                    note(killed, order, answer, failure);
                    waiting.decrementAndGet();
                });
    }

    private @Nullable Instance anOpenOne(int number) {
        for (int i = 0; i < instances.size(); i++) {
            Instance each = instances.get((number + i) % instances.size());
            if (each.isOpen()) {
                return each;
            }
        }
        return null;
    }

    private void note(
            AtomicBoolean killed, String order, @Nullable HttpResponse<String> answer, @Nullable Throwable failure) {
        if (answer != null) {
            answers.put(order, answer.statusCode());
            if (answer.statusCode() != 200 && answer.statusCode() != 409) {
                failures.add(order + ": " + answer.statusCode() + " " + answer.body());
            }
        } else if (killed.get() && cause(failure) instanceof IOException) {
            unanswered.add(order);
        } else {
            failures.add(order + ": " + failure);
        }
    }

    private static @Nullable Throwable cause(@Nullable Throwable failure) {
        return failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
    }

    boolean wasAnswered(String order) {
        return answers.containsKey(order);
    }

    /** Returns what has happened, for people. */
    String soFar() {
        return came() + " came, " + answered(200).size() + " bought, " + waiting.get() + " wait: ";
    }

    String slowest() {
        return "the slowest answer took " + TimeUnit.NANOSECONDS.toMillis(slowest.get()) + " ms";
    }

    int came() {
        return next.get();
    }

    /** No more come; returns when each has its answer. */
    void end() throws InterruptedException {
        clock.shutdown();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (waiting.get() > 0 && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        if (waiting.get() > 0) {
            failures.add(waiting.get() + " orders have no answer after 90 s");
        }
    }

    /** Orders that were answered so. */
    List<String> answered(int status) {
        return answers.entrySet().stream()
                .filter(each -> each.getValue() == status)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Orders that were in flight on an instance when it was killed. */
    List<String> inFlightOnAKilledOne() {
        return List.copyOf(unanswered);
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
