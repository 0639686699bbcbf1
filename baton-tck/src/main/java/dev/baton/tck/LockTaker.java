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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a second process that takes a lock and follows commands; tests kill, pause and resume it.
 * Arguments: address, lock, lease and grace in milliseconds. Commands, one a line: {@code acquire}, {@code hold} (an
 * explicit lease), {@code write}, {@code release}, {@code crowd COUNT}, {@code count FILE TIMES}, and those of
 * {@link JobsTaker}. Answers: {@code READY client}, {@code GRANTED token}, {@code LOST cause}, {@code WOKE held},
 * {@code WRITE token}, {@code RELEASED outcome}, {@code CROWD count}, {@code FAILED exception}, {@code COUNTED}. It ends
 * with its standard input.
 */
public final class LockTaker {
    /** A machine that starts servers and JVMs at the same time leaves a client little processor time. */
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(45);

    private final DistributedLock lock;
    private final Supplier<Baton> clients;
    private final JobsTaker jobs;
    private final long leaseNanos;
    private @Nullable Lease lease;

    /** Kept, because an unreferenced lease is abandoned. */
    private final List<CompletableFuture<Lease>> crowd = new CopyOnWriteArrayList<>();

    private LockTaker(Baton baton, String name, Supplier<Baton> clients, Duration leaseTime) {
        this.lock = baton.lock(name);
        this.clients = clients;
        this.jobs = new JobsTaker(baton, leaseTime);
        this.leaseNanos = leaseTime.toNanos();
    }

    /**
     * Runs the process.
     *
     * @param args address, lock, lease and grace in milliseconds
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Duration leaseTime = Duration.ofMillis(Long.parseLong(args[2]));
        BatonOptions options = BatonOptions.builder()
                .namespace(StoreFixture.NAMESPACE)
                .leaseTime(leaseTime)
                .grace(Duration.ofMillis(Long.parseLong(args[3])))
                .connectTimeout(CONNECT_TIMEOUT)
                .closeOnShutdown(true)
                .build();
        try (Baton baton = Baton.connect(args[0], options);
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            LockTaker taker = new LockTaker(baton, args[1], () -> Baton.connect(args[0], options), leaseTime);
            ChildLines.say("READY " + baton.clientId());
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                taker.obey(command.split(" "));
            }
            // The parent process is gone: this process ends without a release, as if it had been killed as well.
            Runtime.getRuntime().halt(1);
        }
    }

    private void obey(String[] command) throws IOException, InterruptedException {
        switch (command[0]) {
            case "acquire" -> acquire(lock);
            case "hold" -> acquire(lock.with(LockOptions.defaults().withLeaseTime(Duration.ofNanos(leaseNanos))));
            case "write" -> ChildLines.say("WRITE " + held().token());
            case "release" -> ChildLines.say("RELEASED " + held().release());
            case "crowd" -> crowd(Integer.parseInt(command[1]));
            case "count" -> count(Path.of(command[1]), Integer.parseInt(command[2]));
            default -> jobs.obey(command);
        }
    }

    private Lease held() {
        return Objects.requireNonNull(lease, "acquire first");
    }

    private void acquire(DistributedLock how) throws InterruptedException {
        Lease acquired = how.acquire();
        acquired.onLost(cause -> ChildLines.say("LOST " + cause));
        lease = acquired;
        ChildLines.reportWaking(acquired::isHeld, leaseNanos);
        ChildLines.say("GRANTED " + acquired.token());
    }

    /** Queues this many more clients of this process, until it ends. */
    private void crowd(int count) {
        for (int i = 0; i < count; i++) {
            queue(clients.get().lock(lock.name()));
        }
        ChildLines.say("CROWD " + count);
    }

    /** Queues a client. If it gets the lock early and loses it on a busy machine, it queues again. */
    private void queue(DistributedLock one) {
        crowd.add(one.acquireAsync().whenComplete((granted, failure) -> {
            if (granted != null) {
                granted.onLost(cause -> {
                    if (cause != LossCause.CLIENT_CLOSED) {
                        queue(one);
                    }
                });
            } else {
                ChildLines.say("FAILED " + failure);
                if (failure instanceof StoreException) {
                    queue(one);
                }
            }
        }));
    }

    /** Increments a number in a file that only the lock protects. */
    private void count(Path file, int times) throws IOException, InterruptedException {
        for (int i = 0; i < times; i++) {
            try (Lease turn = lock.acquire()) {
                int number = Integer.parseInt(Files.readString(file).trim());
                Files.writeString(file, Integer.toString(number + (turn.token() > 0 ? 1 : 0)));
            }
        }
        ChildLines.say("COUNTED");
    }
}
