package dev.baton.tck;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.LossCause;
import dev.baton.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a process that reaches its limit of threads. Arguments: address, lease, grace, store timeout, how
 * long a caller may take, and a brief lease, in milliseconds. It starts its callers' threads at the beginning.
 * Commands, one a line: {@code connect}, {@code round WAIT_MS NAME}.
 */
public final class ThreadLimitedTaker {
    private static final int CALLERS = 18;

    private final String address;
    private final BatonOptions options;
    private final long inTimeNanos;
    private final Duration brief;
    private final ThreadPoolExecutor callers;
    private final Baton one;
    private final Baton two;

    /** Not used before the limit, so its store has started only the threads that it starts when it connects. */
    private final Baton fresh;

    private final Lease renewed;

    private ThreadLimitedTaker(String[] args) throws InterruptedException {
        address = args[0];
        options = BatonOptions.builder()
                .namespace(StoreFixture.NAMESPACE)
                .leaseTime(Duration.ofMillis(Long.parseLong(args[1])))
                .grace(Duration.ofMillis(Long.parseLong(args[2])))
                .storeTimeout(Duration.ofMillis(Long.parseLong(args[3])))
                .connectTimeout(Duration.ofSeconds(15))
                .listener(event -> {})
                .build();
        inTimeNanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[4]));
        brief = Duration.ofMillis(Long.parseLong(args[5]));
        callers = new ThreadPoolExecutor(CALLERS, CALLERS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CALLERS));
        callers.prestartAllCoreThreads();
        // A new JVM on a busy machine needs longer than a client that is refused for its threads.
        BatonOptions patient =
                options.toBuilder().connectTimeout(LockTaker.CONNECT_TIMEOUT).build();
        one = Baton.connect(address, patient);
        two = Baton.connect(address, patient);
        fresh = Baton.connect(address, patient);
        renewed = one.lock("renewed").acquire();
    }

    /**
     * Runs the process.
     *
     * @param args address, and five times in milliseconds
     */
    public static void main(String[] args) throws Exception {
        ThreadLimitedTaker taker = new ThreadLimitedTaker(args);
        say("READY");
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                taker.obey(command);
            }
        }
        Runtime.getRuntime().halt(1);
    }

    private void obey(String command) throws IOException, InterruptedException {
        if (command.equals("connect")) {
            say("CONNECT: " + connect());
        } else {
            String[] words = command.split(" ", 3);
            say("ROUND: " + round(words[2], Duration.ofMillis(Long.parseLong(words[1]))));
        }
    }

    private String connect() {
        try {
            Baton.connect(address, options).close();
            return "CONNECTED";
        } catch (StoreException refused) {
            return "REFUSED StoreException " + refused.getMessage();
        } catch (RuntimeException | Error defect) {
            return "BROKEN " + defect;
        }
    }

    private interface Ask {
        Optional<Lease> ask() throws Exception;
    }

    private String round(String name, Duration wait) throws InterruptedException {
        List<Callable<String>> all = new ArrayList<>();
        List<Baton> clients = name.equals("before") ? List.of(one, two) : List.of(one, two, fresh);
        for (Baton client : clients) {
            String own = name + " of " + clients.indexOf(client);
            // All callers want this lock: they take turns.
            DistributedLock shared = client.lock(name);
            all.add(() -> answer(() -> Optional.of(shared.acquire())));
            all.add(() -> answer(() -> shared.tryAcquire(options.storeTimeout())));
            all.add(() -> answer(() -> Optional.of(future(shared.acquireAsync()))));
            all.add(() -> answer(() -> future(client.lock(own).tryAcquireAsync(wait))));
            all.add(() ->
                    answer(() -> Optional.of(future(client.lock("of " + own).supplyAsync(lease -> lease)))));
            all.add(() ->
                    told(client.lock("lost by " + own, LockOptions.defaults().withLeaseTime(brief))));
        }
        List<String> answers = new ArrayList<>();
        for (Future<String> each : callers.invokeAll(all)) {
            try {
                answers.add(each.get());
            } catch (ExecutionException defect) {
                answers.add(word(defect.getCause()));
            }
        }
        answers.add(renewed.isHeld() ? "GRANTED" : "LOST");
        return String.join(" ", answers);
    }

    /** Returns the answer that a caller gets. */
    private String answer(Ask ask) {
        long start = System.nanoTime();
        String answer;
        try {
            Optional<Lease> lease = ask.ask();
            answer = lease.isPresent() ? "GRANTED" : "EMPTY";
            lease.ifPresent(Lease::close);
        } catch (StoreException expected) {
            answer = "FAILED:" + word(expected);
        } catch (Exception | Error defect) {
            answer = word(defect);
        }
        long took = System.nanoTime() - start;
        return took <= inTimeNanos ? answer : answer + "_AFTER_" + TimeUnit.NANOSECONDS.toMillis(took) + "_MS";
    }

    /** Says whether the loss of a lease is told. */
    private String told(DistributedLock lock) {
        return answer(() -> {
            CompletableFuture<LossCause> told = new CompletableFuture<>();
            Optional<Lease> lease = lock.tryAcquire();
            if (lease.isPresent()) {
                lease.get().onLost(told::complete);
                future(told);
            }
            return lease;
        });
    }

    private <T> T future(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(2 * inTimeNanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        } catch (TimeoutException never) {
            throw new IllegalStateException("this future never ended", never);
        }
    }

    private static String word(@Nullable Throwable defect) {
        return String.valueOf(defect).replaceAll("\\s+", "_");
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
