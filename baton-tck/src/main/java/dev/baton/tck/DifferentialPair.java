package dev.baton.tck;

import dev.baton.internal.memory.MemoryMachine;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import dev.baton.spi.WriteNote;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A store and the reference machine in lock-step: every command goes to both, and both must give the same answer. */
final class DifferentialPair implements AutoCloseable {
    private static final int CLIENTS = 3;
    private static final int LOGGED = 30;
    private static final StoreListener DEAF = new StoreListener() {
        @Override
        public void onPush(Push push) {
            // A push is only a hint; the heartbeats are compared.
        }

        @Override
        public void onReconnect() {
            // The script asks for everything anyway.
        }
    };

    /** A release or a cancel, and when it was sent. */
    private record End(Object command, long atMicros) {}

    private final StoreFixture fixture;
    private final DifferentialAnswers answers;
    private final Set<String> names = new HashSet<>();
    private final List<List<End>> ends = new ArrayList<>();
    private MemoryMachine reference = new MemoryMachine(Timings.DEFAULTS, "reference");
    private MemoryMachine kept = reference;
    private final List<Store> stores = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private final Deque<String> log = new ArrayDeque<>();
    private final Capabilities capabilities;
    private long now = StoreStage.START_MICROS;

    DifferentialPair(StoreFixture fixture) throws StoreFailure {
        this.fixture = fixture;
        capabilities = fixture.capabilities();
        answers = new DifferentialAnswers(capabilities);
        for (int i = 0; i < CLIENTS; i++) {
            String id = String.format("%032x", i + 1);
            ids.add(id);
            ends.add(new ArrayList<>());
            stores.add(fixture.open(id, Timings.DEFAULTS, DEAF, () -> now));
        }
    }

    /** Returns the store's capabilities. */
    Capabilities capabilities() {
        return capabilities;
    }

    int clients() {
        return CLIENTS;
    }

    /** Returns the last commands and the reference's answers. */
    Collection<String> log() {
        return log;
    }

    void pass(long micros) throws StoreFailure {
        long end = now + micros;
        fixture.settle();
        do {
            now = Math.min(end, Math.max(now + 1, fixture.nextDeadlineMicros()));
            if (answers.keepsDeadlinesApart() || fixture.noticesExpiryLate()) {
                // Clients that keep their own deadlines end a hold at its deadline, without waiting for another command
                // on its name.
                noticeExpiry();
            }
            fixture.timePassed();
        } while (now < end);
        note("pass " + micros + " to " + now);
    }

    /** Sends a command that changes nothing but what is due. */
    private void noticeExpiry() throws StoreFailure {
        for (String name : names) {
            reference.forceRelease(name, Long.MIN_VALUE, false, now, DifferentialPair::ignore);
            if (fixture.noticesExpiryLate()) {
                boolean unused = stores.get(0).forceRelease(name, Long.MIN_VALUE, false, StoreClient.TIMEOUT_NANOS);
            }
        }
    }

    boolean canForget() {
        return fixture.forgetful().isPresent();
    }

    /** Keeps the present state on both sides. */
    void remember() throws Exception {
        fixture.forgetful().orElseThrow().remember();
        kept = reference.copy();
        note("remember");
    }

    /**
     * Sets both sides back to what was kept, with a grace period from now on. Each client then notices: it asks for a
     * ticket of each name, and repeats its releases and cancels.
     */
    void forget(List<Resource> resources) throws Exception {
        fixture.forgetful().orElseThrow().forget();
        reference = kept;
        reference.restartAs("reference after it forgot", now + Timings.DEFAULTS.graceMicros());
        note("forget");
        List<Heartbeat.Ticket> asked =
                resources.stream().map(each -> new Heartbeat.Ticket(each, 0)).toList();
        for (int client = 0; client < CLIENTS; client++) {
            heartbeat(client, new Heartbeat(CommandNumber.of(1), List.of(), asked));
            repeatEnds(client);
        }
    }

    private void repeatEnds(int client) {
        long since = now - fixture.forgetful().orElseThrow().repeatedMicros();
        List<End> repeated =
                ends.get(client).stream().filter(end -> end.atMicros() >= since).toList();
        for (End end : repeated) {
            if (end.command() instanceof Release release) {
                reference.release(ids.get(client), aged(release, now - end.atMicros()), now, DifferentialPair::ignore);
            }
        }
        for (End end : repeated) {
            if (end.command() instanceof Cancel cancel) {
                reference.cancel(ids.get(client), cancel, now, DifferentialPair::ignore);
            }
        }
    }

    /** A name is kept from its release on, and not from the repetition. */
    private static Release aged(Release release, long ageMicros) {
        return new Release(
                release.resource(),
                release.attempt(),
                release.token(),
                release.number(),
                release.failed(),
                Math.max(0, release.keepMicros() - ageMicros));
    }

    private void ended(int client, Object command) {
        ends.get(client).add(new End(command, now));
    }

    /**
     * If clients keep their own deadlines, readers begin one after the other, each with the token of the one before it: a
     * client answers "granted" only after the clients of the readers before it, which the reference grants at once.
     */
    private void settleIfShared(Stream<Resource> resources) throws StoreFailure {
        if (resources.anyMatch(each -> each.capacity() > 1)) {
            fixture.settle();
        }
    }

    Acquire.Reply acquire(int client, Acquire command) throws StoreFailure {
        names.add(command.resource().name());
        settleIfShared(Stream.of(command.resource()));
        Acquire.Reply expected = reference.acquire(ids.get(client), command, now, DifferentialPair::ignore);
        Acquire.Reply actual = stores.get(client).acquire(command, StoreClient.TIMEOUT_NANOS);
        String name = command.resource().name();
        answers.learn(name, expected, actual);
        compare(client, command, answers.expected(name, expected), answers.actual(actual));
        return actual;
    }

    Heartbeat.Reply heartbeat(int client, Heartbeat command) throws StoreFailure {
        settleIfShared(command.tickets().stream().map(Heartbeat.Ticket::resource));
        Heartbeat.Reply expected =
                reference.heartbeat(ids.get(client), answers.toReference(command), now, DifferentialPair::ignore);
        Heartbeat.Reply actual = ByShard.heartbeat(stores.get(client), command, StoreClient.TIMEOUT_NANOS);
        answers.learn(command, expected, actual);
        compare(client, command, answers.expected(command, expected), answers.actual(actual));
        return actual;
    }

    void release(int client, Release command) throws StoreFailure {
        ended(client, command);
        Release.Reply expected =
                reference.release(ids.get(client), answers.toReference(command), now, DifferentialPair::ignore);
        Release.Reply actual = stores.get(client).release(command, StoreClient.TIMEOUT_NANOS);
        compare(client, command, expected.released(), actual.released());
    }

    void releaseAll(int client, List<Release> commands) throws StoreFailure {
        commands.forEach(command -> ended(client, command));
        List<Boolean> expected = new ArrayList<>();
        for (Release command : commands) {
            expected.add(reference
                    .release(ids.get(client), answers.toReference(command), now, DifferentialPair::ignore)
                    .released());
        }
        List<Boolean> actual = stores.get(client).releaseAll(commands, StoreClient.TIMEOUT_NANOS).stream()
                .map(Release.Reply::released)
                .toList();
        compare(client, commands, expected, actual);
    }

    void cancel(int client, Cancel command) throws StoreFailure {
        ended(client, command);
        Stamp expected = reference.cancel(ids.get(client), command, now, DifferentialPair::ignore);
        Stamp actual = stores.get(client).cancel(command, StoreClient.TIMEOUT_NANOS);
        compare(client, command, DifferentialAnswers.anonymous(expected), DifferentialAnswers.anonymous(actual));
    }

    void forceRelease(int client, String name, long token, boolean immediately) throws StoreFailure {
        fixture.settle();
        boolean expected = reference.forceRelease(
                name, answers.toReference(name, token), immediately, now, DifferentialPair::ignore);
        boolean actual = stores.get(client).forceRelease(name, token, immediately, StoreClient.TIMEOUT_NANOS);
        compare(client, "force " + name + " " + token + " now=" + immediately, expected, actual);
    }

    /**
     * Withholds permits, unless that would make a ticket leave the queue of a store with sessions: there the ticket's own
     * client removes it, some time after the others count without it on the reference.
     */
    void withhold(int client, Resource semaphore, int weight) throws StoreFailure {
        fixture.settle();
        boolean leaves = answers.keepsDeadlinesApart()
                && reference.inspect(semaphore.name(), now).stream()
                        .flatMap(view -> view.tickets().stream())
                        .anyMatch(ticket -> weight > 0 && ticket.weight() + weight > semaphore.capacity());
        if (!leaves) {
            Resource expected = reference.withhold(semaphore, weight, now, DifferentialPair::ignore);
            Resource actual = stores.get(client).withhold(semaphore, weight, StoreClient.TIMEOUT_NANOS);
            compare(client, "withhold " + weight + " of " + semaphore, expected, actual);
        }
    }

    void writeNote(int client, WriteNote command) throws StoreFailure {
        fixture.settle();
        WriteNote.Reply expected = reference.writeNote(ids.get(client), answers.toReference(command), now);
        WriteNote.Reply actual = stores.get(client).writeNote(command, StoreClient.TIMEOUT_NANOS);
        compare(client, command, DifferentialAnswers.plain(expected), DifferentialAnswers.plain(actual));
    }

    void restoreNote(int client, String name, Note note) throws StoreFailure {
        WriteNote.Reply expected = reference.restoreNote(name, note, now);
        WriteNote.Reply actual = stores.get(client).restoreNote(name, note, StoreClient.TIMEOUT_NANOS);
        String command = "restore " + name + " " + note;
        compare(client, (Object) command, DifferentialAnswers.plain(expected), DifferentialAnswers.plain(actual));
    }

    void forgetNote(int client, String name) throws StoreFailure {
        WriteNote.Reply expected = reference.forgetNote(name, now);
        WriteNote.Reply actual = stores.get(client).forgetNote(name, StoreClient.TIMEOUT_NANOS);
        String command = "forget " + name;
        compare(client, (Object) command, DifferentialAnswers.plain(expected), DifferentialAnswers.plain(actual));
    }

    void readNote(int client, String name) throws StoreFailure {
        NoteView expected = reference.note(name, now);
        NoteView actual = stores.get(client).note(name, StoreClient.TIMEOUT_NANOS);
        String command = "note of " + name;
        compare(client, (Object) command, DifferentialAnswers.plain(expected), DifferentialAnswers.plain(actual));
    }

    void inspect(int client, String name) throws StoreFailure {
        fixture.settle();
        List<ResourceView> expected = reference.inspect(name, now).stream().toList();
        List<ResourceView> actual = stores.get(client).inspect(name, StoreClient.TIMEOUT_NANOS).stream()
                .toList();
        compare(client, "inspect " + name, expected, actual);
    }

    void list(int client, String prefix, String after, int limit) throws StoreFailure {
        fixture.settle();
        List<ResourceView> expected = reference.list(prefix, after, limit, now);
        List<ResourceView> actual = stores.get(client).list(prefix, after, limit, StoreClient.TIMEOUT_NANOS);
        compare(client, "list " + prefix + " " + limit, expected, actual);
    }

    private void compare(int client, String command, List<ResourceView> expected, List<ResourceView> actual) {
        answers.learn(expected, actual);
        compare(
                client,
                (Object) command,
                expected.stream().map(answers::expected).toList(),
                actual.stream().map(answers::actual).toList());
    }

    /** Returns a number that is the same for both sides. */
    static CommandNumber number(long value) {
        return CommandNumber.of(value);
    }

    @Override
    public void close() {
        stores.forEach(Store::close);
    }

    private void compare(int client, Object command, Object expected, Object actual) {
        note(client + ": " + command + "\n    = " + expected);
        if (!expected.equals(actual)) {
            throw new AssertionError("client " + client + " sent " + command + "\n  the reference says " + expected
                    + "\n  the store says     " + actual + "\n  from here on: "
                    + fromDifference(expected.toString(), actual.toString()));
        }
    }

    /** Long answers may differ in a single word: shows the first difference. */
    private static String fromDifference(String expected, String actual) {
        int at = 0;
        while (at < Math.min(expected.length(), actual.length()) && expected.charAt(at) == actual.charAt(at)) {
            at++;
        }
        int start = Math.max(0, at - 30);
        return excerpt(expected, start) + " | " + excerpt(actual, start);
    }

    private static String excerpt(String text, int start) {
        return text.substring(start, Math.min(text.length(), start + 80));
    }

    /** Ignores a push, which is only a hint: the heartbeats are compared. */
    private static void ignore(String client, Push push) {
        // There is nothing to compare it with.
    }

    private void note(String line) {
        log.addLast(line);
        if (log.size() > LOGGED) {
            log.removeFirst();
        }
    }
}
