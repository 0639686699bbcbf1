package dev.baton.examples.store;

import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * The main class of a process that acquires and releases at random, and stands still in the middle of a write, before or
 * after the new file is in its place, until it is killed. Arguments: address, seed. Says once, in one line, where it stands:
 * {@code STOPPED before|after acquire|release NAME TOKEN}, and then for each hold that was acknowledged {@code NAME=TOKEN}.
 */
final class KilledWriter {
    static final String CLIENT = "1".repeat(32);
    static final StoreListener DEAF = new StoreListener() {
        @Override
        public void onPush(Push push) {
            throw new AssertionError("nothing is pushed");
        }

        @Override
        public void onReconnect() {
            throw new AssertionError("there is no connection");
        }
    };

    private static final int NAMES = 5;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LEASE_MICROS = TimeUnit.SECONDS.toMicros(60);

    private final Map<String, Release> held = new TreeMap<>();
    private final DirectoryStore store;
    private final SplittableRandom random;
    private final boolean before;
    private int writesLeft;
    private String doing = "";
    private long number;

    private KilledWriter(String uri, long seed) throws StoreFailure {
        random = new SplittableRandom(seed);
        before = random.nextBoolean();
        StoreConfig config = DirectoryFixture.config(uri, CLIENT);
        SharedFiles files = new SharedFiles(DirectoryStoreProvider.directory(config)) {
            @Override
            void move(Path from, Path to) throws IOException {
                boolean now = writesLeft-- == 0;
                if (now && before) {
                    standStill();
                }
                super.move(from, to);
                if (now) {
                    standStill();
                }
            }
        };
        // The first write is the namespace's.
        writesLeft = 1 + random.nextInt(30);
        store = (DirectoryStore) DirectoryStore.open(config, files, DirectoryStore::wallMicros);
    }

    public static void main(String[] args) throws StoreFailure {
        KilledWriter writer = new KilledWriter(args[0], Long.parseLong(args[1]));
        while (true) {
            writer.command();
        }
    }

    private void command() throws StoreFailure {
        String name = "name-" + random.nextInt(NAMES);
        Release hold = held.get(name);
        if (hold == null) {
            doing = "acquire " + name + " 0";
            CommandNumber attempt = CommandNumber.of(++number);
            Acquire.Granted granted = (Acquire.Granted) store.acquire(
                    new Acquire(Resource.lock(name), attempt, 1, LEASE_MICROS, 0, "writer", Acquire.Mode.TRY, 0),
                    TIMEOUT_NANOS);
            held.put(name, new Release(Resource.lock(name), number, granted.token(), CommandNumber.of(number)));
        } else {
            doing = "release " + name + ' ' + hold.token();
            held.remove(name);
            store.release(
                    new Release(hold.resource(), hold.attempt(), hold.token(), CommandNumber.of(++number)),
                    TIMEOUT_NANOS);
        }
    }

    private void standStill() {
        System.out.println("STOPPED " + (before ? "before " : "after ") + doing
                + held.values().stream()
                        .map(hold -> ' ' + hold.resource().name() + '=' + hold.token())
                        .collect(Collectors.joining()));
        System.out.flush();
        while (true) {
            LockSupport.park();
        }
    }
}
