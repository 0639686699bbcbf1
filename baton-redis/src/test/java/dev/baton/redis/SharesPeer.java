package dev.baton.redis;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.Lease;
import dev.baton.tck.JvmHiccups;
import dev.baton.tck.StoreFixture;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The main class of a process that shares names with others, for {@link SharesOfProcessesCases}. Arguments: address, file
 * of {@link SharedLongs}, own number, lease in milliseconds. Commands, one a line: {@code turns SIDE THREADS}, which go on until
 * {@code stop}; {@code waits SIDE TIMES}; {@code permits CAPACITY PEERS MILLIS}, until {@code stop};
 * {@code groups NAMES TIMES}. It ends with its standard input.
 */
public final class SharesPeer {
    /** How often more permits were in use than there are. */
    static final int ABOVE = 0;

    /** A counter that is not atomic: it is read, and written a moment later. */
    static final int COUNTER = 1;

    /** Leases that were over when their holder left. */
    static final int LATE = 2;

    /**
     * From here on, until when each peer believes to hold the permit that it uses, by {@link System#nanoTime}, which is the
     * same for all processes of a machine with Linux; 0 while it uses none.
     */
    static final int INSIDE = 8;

    /** The first turns load and compile classes. */
    private static final int WARM_UP = 100;

    private final Baton client;
    private final SharedLongs cells;
    private final int number;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong turns = new AtomicLong();
    private volatile boolean over;

    private SharesPeer(Baton client, SharedLongs cells, int number) {
        this.client = client;
        this.cells = cells;
        this.number = number;
    }

    /** Runs the process. */
    public static void main(String[] args) throws Exception {
        BatonOptions options = BatonOptions.builder()
                .namespace(StoreFixture.NAMESPACE)
                .leaseTime(Duration.ofMillis(Long.parseLong(args[3])))
                .connectTimeout(Duration.ofSeconds(30))
                .build();
        try (Baton client = Baton.connect(args[0], options);
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            SharesPeer peer = new SharesPeer(client, SharedLongs.in(Path.of(args[1])), Integer.parseInt(args[2]));
            System.out.println("READY");
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                System.out.println(peer.obey(command.split(" ")));
            }
            Runtime.getRuntime().halt(1);
        }
    }

    private String obey(String[] command) throws Exception {
        switch (command[0]) {
            case "turns" -> {
                DistributedLock side = side(command[1]);
                int crowd = Integer.parseInt(command[2]);
                start(crowd, () -> side.acquire().release());
                while (turns.get() < crowd) {
                    // Otherwise the other process could take all of its turns before this one runs.
                    Thread.sleep(1);
                }
                return "STARTED";
            }
            case "permits" -> {
                int capacity = Integer.parseInt(command[1]);
                int peers = Integer.parseInt(command[2]);
                long millis = Long.parseLong(command[3]);
                DistributedLock permit = client.semaphore("pool", capacity);
                start(1, () -> use(permit, capacity, peers, millis));
                return "STARTED";
            }
            case "waits" -> {
                return "WAITED " + waits(side(command[1]), Integer.parseInt(command[2]));
            }
            case "groups" -> {
                count(Integer.parseInt(command[1]), Integer.parseInt(command[2]));
                return "COUNTED";
            }
            default -> {
                over = true;
                for (Thread thread : threads) {
                    thread.join();
                }
                return "STOPPED " + turns;
            }
        }
    }

    private DistributedLock side(String name) {
        DistributedReadWriteLock page = client.readWriteLock("page");
        return name.equals("read") ? page.read() : page.write();
    }

    /** One turn of a thread. */
    private interface Turn {
        void run() throws Exception;
    }

    private void start(int count, Turn turn) {
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                try {
                    while (!over) {
                        turn.run();
                        turns.incrementAndGet();
                    }
                } catch (Exception failed) {
                    System.out.println("FAILED " + failed);
                }
            });
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /** Returns the median and the worst wait and the machine's worst delay, in microseconds. */
    private static String waits(DistributedLock lock, int times) throws InterruptedException {
        for (int i = 0; i < WARM_UP; i++) {
            lock.acquire().release();
        }
        long[] nanos = new long[times];
        try (JvmHiccups hiccups = new JvmHiccups()) {
            for (int i = 0; i < times; i++) {
                long asked = System.nanoTime();
                Lease lease = lock.acquire();
                nanos[i] = System.nanoTime() - asked;
                lease.release();
            }
            Arrays.sort(nanos);
            return nanos[times / 2] / 1_000 + " " + nanos[times * 99 / 100] / 1_000 + " " + nanos[times - 1] / 1_000
                    + " " + hiccups.worst().toNanos() / 1_000;
        }
    }

    private void use(DistributedLock permit, int capacity, int peers, long millis) throws InterruptedException {
        Lease lease = permit.acquire();
        // A process may stand still for longer than its lease, and another one gets the permit.
        cells.set(INSIDE + number, System.nanoTime() + lease.remaining().toNanos());
        if (cells.countAbove(System.nanoTime(), INSIDE, peers) > capacity && lease.isHeld()) {
            cells.add(ABOVE, 1);
        }
        Thread.sleep(millis);
        cells.add(LATE, lease.isHeld() ? 0 : 1);
        cells.set(INSIDE + number, 0);
        lease.release();
    }

    /** Counts under all names, which it asks for in an order of its own each time. */
    private void count(int names, int times) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(number);
        List<String> all = new ArrayList<>(
                IntStream.range(0, names).mapToObj(i -> "name " + i).toList());
        for (int i = 0; i < times; i++) {
            for (int at = all.size() - 1; at > 0; at--) {
                Collections.swap(all, at, random.nextInt(at + 1));
            }
            Lease lease = client.allOf(all.toArray(String[]::new)).acquire();
            long before = cells.get(COUNTER);
            Thread.yield();
            cells.set(COUNTER, before + 1);
            lease.release();
        }
    }
}
