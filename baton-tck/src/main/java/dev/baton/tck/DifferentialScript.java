package dev.baton.tck;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Note;
import dev.baton.spi.Protocol;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Random commands of several clients for several names, drawn from a seed.
 *
 * <p>The rules leave two things open, so the script avoids both. First, a store may keep its high-water mark per bucket
 * or per name, so every name here has its own bucket. Second, a poll may leave a ticket's presence unchanged while most
 * of it is left, so a full heartbeat, which may not, follows every poll at the same instant. Numbers grow and are sent
 * once, because all stores promise only that; only a cancelled attempt is sent late.
 *
 * <p>A store that can be made to forget does so once in two of three sequences: its last commands are lost, and it grants
 * nothing for a while.
 */
final class DifferentialScript {
    private static final int REMEMBERED = 16;
    private static final int MOST_FORGOTTEN = 60;
    private static final long[] LEASES = {100_000, 1_000_000, 5_000_000, 30_000_000};
    private static final long[] STEPS = {1, 1_000, 90_000, 400_000, 1_000_000, 3_000_000, 11_000_000};
    private static final Resource NOWHERE = Resource.lock("nowhere");

    /** A client's earlier request or grant. */
    private record Known(int client, Resource resource, long attempt, int weight, long token) {}

    private final SplittableRandom random;
    private final DifferentialPair pair;
    private final List<Resource> resources;
    private final List<Known> holds = new ArrayList<>();
    private final List<Known> tickets = new ArrayList<>();
    private final List<WriteNote> writes = new ArrayList<>();
    private final long[] numbers;
    private int sent;

    DifferentialScript(long seed, DifferentialPair pair) {
        this.random = new SplittableRandom(seed);
        this.pair = pair;
        this.numbers = new long[pair.clients()];
        this.resources = resources(seed, pair.capabilities().shares());
    }

    /** Returns how many commands were sent. */
    int sent() {
        return sent;
    }

    void run(int commands) throws Exception {
        boolean forgets = pair.canForget() && random.nextInt(3) != 0;
        int remembers = forgets ? random.nextInt(commands / 2) : -1;
        int forgetsAt = remembers + random.nextInt(MOST_FORGOTTEN);
        for (sent = 0; sent < commands; sent++) {
            if (sent == remembers) {
                pair.remember();
            }
            if (forgets && sent == forgetsAt) {
                pair.forget(resources);
            }
            step(random.nextInt(pair.clients()), random.nextInt(100));
        }
    }

    private void step(int client, int dice) throws StoreFailure {
        if (dice < 18) {
            pair.pass(STEPS[random.nextInt(STEPS.length)]);
        } else if (dice < 48) {
            acquire(client);
        } else if (dice < 63) {
            release(client);
        } else if (dice < 66) {
            releaseAll(client);
        } else if (dice < 76) {
            heartbeat(client);
        } else if (dice < 86) {
            poll(client);
        } else if (dice < 87) {
            withhold(client);
        } else if (dice < 90 && pair.capabilities().notes()) {
            note(client);
        } else if (dice < 92) {
            cancel(client);
        } else if (dice < 94) {
            force(client);
        } else if (dice < 98) {
            pair.inspect(client, anyResource().name());
        } else {
            String after = random.nextBoolean() ? "" : anyResource().name();
            pair.list(client, random.nextBoolean() ? "" : "d", after, 1 + random.nextInt(6));
        }
    }

    /** Returns names in separate buckets, of all kinds that the store supports. */
    private static List<Resource> resources(long seed, boolean shares) {
        List<Resource> resources = new ArrayList<>();
        boolean[] taken = new boolean[Protocol.BUCKETS];
        taken[Protocol.bucketOf(NOWHERE.name())] = true;
        for (int i = 0; resources.size() < 5; i++) {
            String name = (i % 2 == 0 ? "diff-" : "other-") + seed + "-" + i;
            int bucket = Protocol.bucketOf(name);
            if (!taken[bucket]) {
                taken[bucket] = true;
                resources.add(shares ? resource(resources.size(), name) : Resource.lock(name));
            }
        }
        return resources;
    }

    private static Resource resource(int index, String name) {
        return switch (index) {
            case 0, 1 -> Resource.lock(name);
            case 2 -> StoreStage.readWrite(name);
            case 3 -> StoreStage.semaphore(name, 3);
            default -> StoreStage.semaphore(name, 1);
        };
    }

    private Resource anyResource() {
        return resources.get(random.nextInt(resources.size()));
    }

    private int weightOf(Resource resource) {
        return switch (resource.kind()) {
            case LOCK -> 1;
            case READ_WRITE -> random.nextInt(3) == 0 ? resource.capacity() : 1;
            case SEMAPHORE -> 1 + random.nextInt(resource.capacity());
        };
    }

    private long next(int client) {
        return ++numbers[client];
    }

    private void acquire(int client) throws StoreFailure {
        boolean disguises = pair.capabilities().shares() && random.nextInt(25) == 0;
        Resource resource = disguises ? disguised(anyResource()) : anyResource();
        long attempt = next(client);
        if (random.nextInt(30) == 0) {
            // The cancel overtakes the acquire.
            pair.cancel(client, new Cancel(resource, attempt, DifferentialPair.number(next(client))));
        }
        int weight = weightOf(resource);
        boolean queues = pair.capabilities().queue() && random.nextInt(3) != 0;
        Acquire.Mode mode = queues ? Acquire.Mode.QUEUE : Acquire.Mode.TRY;
        long lockDelay = random.nextInt(4) == 0 ? 2_000_000 : 0;
        long lease = LEASES[random.nextInt(LEASES.length)];
        Acquire.Reply reply = pair.acquire(
                client,
                new Acquire(
                        resource,
                        DifferentialPair.number(attempt),
                        weight,
                        lease,
                        lockDelay,
                        "client " + client + " #" + attempt,
                        mode,
                        attempt * 0x9E3779B97F4A7C15L | 1));
        if (reply instanceof Acquire.Granted granted) {
            remember(holds, new Known(client, resource, attempt, weight, granted.token()));
        } else if (reply instanceof Acquire.Queued) {
            remember(tickets, new Known(client, resource, attempt, weight, 0));
        }
    }

    /** Returns the same name with another kind. */
    private Resource disguised(Resource resource) {
        return resource.kind() == Kind.LOCK
                ? StoreStage.semaphore(resource.name(), 1 + random.nextInt(3))
                : Resource.lock(resource.name());
    }

    private void release(int client) throws StoreFailure {
        Known known = any(holds);
        if (known == null) {
            return;
        }
        int dice = random.nextInt(12);
        if (dice == 0) {
            // Never a future attempt: the reference would treat it as finished.
            long own = Math.min(known.attempt(), next(client));
            pair.release(client, new Release(known.resource(), own, known.token(), number(client)));
            return;
        }
        long token = dice == 1 ? known.token() - 1 : known.token();
        long attempt = dice == 2 ? known.attempt() - 1 : known.attempt();
        if (dice > 3) {
            holds.remove(known);
        }
        pair.release(
                known.client(),
                new Release(known.resource(), attempt, token, number(known.client()), false, keepMicros(known)));
    }

    /** Only a hold that leaves no room for others is kept after its release. */
    private long keepMicros(Known known) {
        boolean whole = known.weight() == known.resource().capacity();
        return whole && random.nextInt(6) == 0 ? LEASES[random.nextInt(LEASES.length)] : 0;
    }

    private CommandNumber number(int client) {
        return DifferentialPair.number(next(client));
    }

    private void releaseAll(int client) throws StoreFailure {
        List<Release> commands = new ArrayList<>();
        for (Known known : List.copyOf(holds)) {
            if (known.client() == client && random.nextBoolean()) {
                commands.add(new Release(
                        known.resource(), known.attempt(), known.token(), number(client), false, keepMicros(known)));
                holds.remove(known);
            }
        }
        pair.releaseAll(client, commands);
    }

    private void heartbeat(int client) throws StoreFailure {
        List<Heartbeat.Hold> named = new ArrayList<>();
        for (Known known : holds) {
            if (known.client() == client && random.nextInt(4) != 0) {
                named.add(named(known));
            }
        }
        List<Known> asked = ticketsOf(client);
        if (named.isEmpty()) {
            named.add(nobody());
        }
        learn(asked, pair.heartbeat(client, new Heartbeat(number(client), named, entries(asked))));
    }

    private Heartbeat.Hold named(Known known) {
        return new Heartbeat.Hold(
                known.resource(),
                known.attempt(),
                random.nextInt(20) == 0 ? known.token() + 1 : known.token(),
                lowered(known),
                LEASES[random.nextInt(LEASES.length)],
                0,
                random.nextInt(3) != 0,
                "renewed");
    }

    /** Mostly the same weight; sometimes a reader's that was a writer's. */
    private int lowered(Known known) {
        boolean reads = known.resource().kind() == Kind.READ_WRITE && random.nextInt(4) == 0;
        return reads ? 1 : known.weight();
    }

    /** A hold that never existed: it turns a poll into a full heartbeat. */
    private static Heartbeat.Hold nobody() {
        return new Heartbeat.Hold(NOWHERE, 1, 1, 1, 1_000_000, 0, true, "");
    }

    private void poll(int client) throws StoreFailure {
        List<Known> asked = ticketsOf(client);
        if (asked.isEmpty()) {
            return;
        }
        pair.heartbeat(client, new Heartbeat(number(client), List.of(), entries(asked)));
        learn(asked, pair.heartbeat(client, new Heartbeat(number(client), List.of(nobody()), entries(asked))));
    }

    private List<Known> ticketsOf(int client) {
        return tickets.stream()
                .filter(known -> known.client() == client && random.nextInt(5) != 0)
                .toList();
    }

    private List<Heartbeat.Ticket> entries(List<Known> asked) {
        return asked.stream()
                .map(known -> new Heartbeat.Ticket(
                        known.resource(), known.attempt(), random.nextInt(4) == 0 ? "heir " + random.nextInt(9) : ""))
                .toList();
    }

    private void learn(List<Known> asked, Heartbeat.Reply reply) {
        for (int i = 0; i < asked.size(); i++) {
            Known known = asked.get(i);
            if (reply.tickets().get(i) instanceof Heartbeat.TicketGranted granted) {
                tickets.remove(known);
                remember(
                        holds,
                        new Known(known.client(), known.resource(), known.attempt(), known.weight(), granted.token()));
            } else if (reply.tickets().get(i) instanceof Heartbeat.Gone && random.nextBoolean()) {
                tickets.remove(known);
            }
        }
    }

    private void cancel(int client) throws StoreFailure {
        Known known = any(random.nextBoolean() ? tickets : holds);
        if (known == null || known.client() != client) {
            return;
        }
        tickets.remove(known);
        pair.cancel(client, new Cancel(known.resource(), known.attempt(), number(client)));
    }

    private void note(int client) throws StoreFailure {
        Known known = any(holds);
        int dice = random.nextInt(12);
        if (dice < 6 && known != null) {
            write(known, dice);
        } else if (dice < 8 && !writes.isEmpty()) {
            // Again, or late: others may have written since.
            WriteNote write = writes.get(random.nextInt(writes.size()));
            pair.writeNote(random.nextInt(4) == 0 ? client : clientOf(write), write);
        } else if (dice == 8 && !writes.isEmpty()) {
            WriteNote write = writes.get(random.nextInt(writes.size()));
            pair.restoreNote(client, write.resource().name(), write.note());
        } else if (dice == 9) {
            pair.forgetNote(client, anyResource().name());
        }
        pair.readNote(client, anyResource().name());
    }

    private void write(Known known, int dice) throws StoreFailure {
        long token = dice == 0 ? known.token() + 1 : known.token();
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        // The number tells whose it is.
        long number = next(known.client()) * pair.clients() + known.client();
        Note note = new Note(Protocol.firstToken(known.token()) + random.nextInt(3), number, bytes);
        WriteNote write = new WriteNote(known.resource(), known.attempt(), token, note);
        remember(writes, write);
        pair.writeNote(known.client(), write);
        pair.readNote(known.client(), known.resource().name());
    }

    private int clientOf(WriteNote write) {
        return (int) (write.note().number() % pair.clients());
    }

    private void withhold(int client) throws StoreFailure {
        Resource resource = anyResource();
        if (resource.kind() == Kind.SEMAPHORE) {
            Resource meant = random.nextInt(8) == 0 ? StoreStage.semaphore(resource.name(), 4) : resource;
            pair.withhold(client, meant, random.nextInt(meant.capacity()));
        }
    }

    private void force(int client) throws StoreFailure {
        Known known = any(holds);
        if (known != null) {
            int dice = random.nextInt(8);
            // 0 ends a time in which nothing is granted.
            long token = dice == 0 ? 0 : dice < 3 ? known.token() + 1 : known.token();
            pair.forceRelease(client, known.resource().name(), token, random.nextInt(3) == 0);
        }
    }

    private @Nullable Known any(List<Known> known) {
        return known.isEmpty() ? null : Objects.requireNonNull(known.get(random.nextInt(known.size())));
    }

    private static <T> void remember(List<T> known, T one) {
        known.add(one);
        if (known.size() > REMEMBERED) {
            known.remove(0);
        }
    }
}
