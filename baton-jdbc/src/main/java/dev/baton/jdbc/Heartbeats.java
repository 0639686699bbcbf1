package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Heartbeat.Hold;
import dev.baton.spi.Heartbeat.HoldReply;
import dev.baton.spi.Heartbeat.TicketReply;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Processes heartbeats in as few statements as possible. One statement renews all standing holds of the same lease
 * time. A second one reads everything else, most of which needs no change (waiting tickets, explicit leases). A
 * transaction handles the rest.
 *
 * <p>A row that another transaction keeps locked delays only its own answer. Thread-safe.
 */
final class Heartbeats {
    /** A row may be locked just when all holds are renewed together; the remaining ones are then read one by one. */
    private static final int RENEW_TRIES = 2;

    /** A database may read its clock anew for each row. */
    private static final long SAME_MOMENT_MICROS = 100_000;

    /** How long the other answers wait for a locked row. */
    private static final long LOCKED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Tables tables;
    private final Reading reading;
    private final RowLocks rowLocks;
    private final Transactions transactions;
    private final String client;
    private final Timings timings;
    private final Stamps stamps;

    Heartbeats(
            Tables tables,
            Reading reading,
            RowLocks rowLocks,
            Transactions transactions,
            String client,
            Timings timings,
            Stamps stamps) {
        this.tables = tables;
        this.transactions = transactions;
        this.reading = reading;
        this.rowLocks = rowLocks;
        this.client = client;
        this.timings = timings;
        this.stamps = stamps;
    }

    /** The answers to one heartbeat that are known so far. */
    private static final class Answers {
        final Heartbeat command;
        final @Nullable HoldReply[] holds;
        final @Nullable TicketReply[] tickets;

        /** The time up to which a standing hold was just renewed, by attempt, at any index of the list. */
        final Map<Long, Long> renewedUntil = new LinkedHashMap<>();

        @Nullable
        Stamp stamp;

        Answers(Heartbeat command) {
            this.command = command;
            this.holds = new HoldReply[command.holds().size()];
            this.tickets = new TicketReply[command.tickets().size()];
        }

        /** The waiting tickets whose presence has to be written. */
        final List<Integer> unshown = new ArrayList<>();

        /** What the first read found for the names that had no answer yet. */
        Map<String, Snapshot> snapshots = Map.of();

        /** Returns the names of the holds and tickets that have no answer yet. */
        Set<String> open() {
            Set<String> open = new LinkedHashSet<>();
            for (int i = 0; i < holds.length; i++) {
                if (holds[i] == null) {
                    open.add(command.holds().get(i).resource().name());
                }
            }
            for (int i = 0; i < tickets.length; i++) {
                if (tickets[i] == null) {
                    open.add(command.tickets().get(i).resource().name());
                }
            }
            return open;
        }

        /** Returns whether a hold of a name has no answer yet; the name's tickets are answered after it. */
        boolean isHoldOpen(String name) {
            for (int i = 0; i < holds.length; i++) {
                if (holds[i] == null && command.holds().get(i).resource().name().equals(name)) {
                    return true;
                }
            }
            return false;
        }

        boolean isNothingAnswered() {
            return Stream.concat(Stream.of(holds), Stream.of(tickets)).allMatch(Objects::isNull);
        }

        Heartbeat.Reply reply() {
            return new Heartbeat.Reply(
                    Objects.requireNonNull(stamp, "nothing was asked"),
                    Stream.of(holds).map(Answers::known).toList(),
                    Stream.of(tickets).map(Answers::known).toList());
        }

        private static <T> T known(@Nullable T answer) {
            return Objects.requireNonNull(answer, "no answer");
        }
    }

    Heartbeat.Reply beat(Heartbeat command, Deadline deadline, Sessions reader, Sessions writer) throws StoreFailure {
        command.number().value();
        Answers answers = new Answers(command);
        renew(answers, deadline, writer);
        if (answers.stamp == null || !answers.open().isEmpty()) {
            reader.beat(deadline, session -> look(session, answers));
        }
        if (!answers.unshown.isEmpty()) {
            showPresence(answers, deadline, writer);
        }
        if (!answers.open().isEmpty()) {
            workOnOpen(answers, deadline, writer);
        }
        return answers.reply();
    }

    /** Renews together all holds that can be; a locked row must not keep the others from being renewed. */
    private void renew(Answers answers, Deadline deadline, Sessions writer) throws StoreFailure {
        Set<String> names = usable(answers, deadline, writer);
        for (int i = 0; i < RENEW_TRIES && !alike(answers, names).isEmpty(); i++) {
            Map<Alike, List<Integer>> alike = alike(answers, names);
            try {
                writer.beat(deadline, session -> {
                    for (List<Integer> group : alike.values()) {
                        renew(session, group, answers);
                    }
                    return true;
                });
                return;
            } catch (StoreFailure failure) {
                rowLocks.requireLocked(failure);
                names = free(answers, names, deadline, writer);
            }
        }
    }

    /** Returns the names without those whose rows were locked the last time, and still are. */
    private Set<String> usable(Answers answers, Deadline deadline, Sessions writer) throws StoreFailure {
        Set<String> names = answers.open();
        return names.stream().anyMatch(rowLocks::isSuspected) ? free(answers, names, deadline, writer) : names;
    }

    /**
     * Returns the names whose rows are free; none if nobody says so in time, because answers that are known already must
     * not be lost with this one.
     */
    private Set<String> free(Answers answers, Set<String> names, Deadline deadline, Sessions writer)
            throws StoreFailure {
        try {
            return rowLocks.free(deadline, names, writer::beat);
        } catch (StoreFailure unanswered) {
            if (answers.isNothingAnswered() && deadline.leftNanos() > 0) {
                throw unanswered;
            }
            return Set.of();
        }
    }

    /** Waits a little for locked rows while the other answers wait; their renewal is already done, and counts. */
    private void workOnOpen(Answers answers, Deadline deadline, Sessions writer) throws StoreFailure {
        work(answers, usable(answers, deadline, writer), deadline, writer);
        Deadline patience = deadline.orIn(Math.min(LOCKED_NANOS, deadline.leftNanos() / 2));
        long pause = RowLocks.FIRST_PAUSE_NANOS;
        while (!answers.open().isEmpty()) {
            Deadline end = answers.isNothingAnswered() ? deadline : patience;
            if (end.leftNanos() <= pause || !writer.pause(pause)) {
                break;
            }
            work(answers, free(answers, answers.open(), deadline, writer), deadline, writer);
            pause = RowLocks.longer(pause);
        }
        if (answers.isNothingAnswered()) {
            throw RowLocks.failure(answers.open());
        }
        leaveOpen(answers);
    }

    /** Leaves locked names unchanged for now: the client has to ask again. */
    private void leaveOpen(Answers answers) {
        for (int i = 0; i < answers.holds.length; i++) {
            if (answers.holds[i] == null) {
                answers.holds[i] = new Heartbeat.AskAgain();
            }
        }
        for (int i = 0; i < answers.tickets.length; i++) {
            if (answers.tickets[i] == null) {
                Heartbeat.Ticket ticket = answers.command.tickets().get(i);
                answers.tickets[i] = reading.stillWaiting(
                        client,
                        ticket,
                        answers.snapshots.getOrDefault(ticket.resource().name(), Snapshot.NOTHING));
            }
        }
    }

    /** What holds must have in common so that one statement can renew them. */
    private record Alike(long leaseMicros, boolean extend) {}

    /** Groups the unanswered holds whose names are among the given ones. */
    private static Map<Alike, List<Integer>> alike(Answers answers, Set<String> names) {
        List<Hold> holds = answers.command.holds();
        Map<Alike, List<Integer>> groups = new LinkedHashMap<>();
        for (int i = 0; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            boolean open = answers.holds[i] == null && !answers.renewedUntil.containsKey(hold.attempt());
            if (open
                    && hold.resource().capacity() == 1
                    && names.contains(hold.resource().name())) {
                groups.computeIfAbsent(new Alike(hold.leaseMicros(), hold.extend()), key -> new ArrayList<>())
                        .add(i);
            }
        }
        return groups;
    }

    private void renew(Session session, List<Integer> group, Answers answers) throws SQLException {
        for (int from = 0; from < group.size(); from += Query.LONGEST) {
            List<Integer> part = group.subList(from, Math.min(group.size(), from + Query.LONGEST));
            List<Hold> holds = part.stream().map(answers.command.holds()::get).toList();
            List<long[]> renewed = tables.renew(session, client, holds);
            if (renewed.isEmpty()) {
                continue;
            }
            if (session.dialect().answersByKey()) {
                renewedTogether(part, renewed.size(), renewed.get(0)[0], answers);
            } else {
                renewedEach(part, renewed, answers);
            }
        }
    }

    private void renewedEach(List<Integer> part, List<long[]> renewed, Answers answers) {
        Map<Long, long[]> rows = new HashMap<>();
        renewed.forEach(row -> rows.put(row[1], row));
        answers.stamp = stamps.of(renewed.get(0)[0]);
        for (int i : part) {
            Hold hold = answers.command.holds().get(i);
            long[] row = rows.get(hold.attempt());
            if (row != null && row[2] == hold.token()) {
                answers.holds[i] = new Heartbeat.Renewed(row[0] + hold.leaseMicros(), row[3] > 0);
            }
        }
    }

    /** If one number answers for all, another read has to tell which hold was renewed, and whether a client waits. */
    private void renewedTogether(List<Integer> part, int number, long answer, Answers answers) {
        long now = answer / 2;
        boolean counted = answer % 2 == 1;
        answers.stamp = stamps.of(now);
        for (int i : part) {
            Hold hold = answers.command.holds().get(i);
            long until = now + hold.leaseMicros();
            if (number == part.size() && !counted) {
                answers.holds[i] = new Heartbeat.Renewed(until, false);
            } else {
                answers.renewedUntil.put(hold.attempt(), until);
            }
        }
    }

    /** Writes the presence of tickets in one statement; if one of them is gone meanwhile, all are read once more. */
    private void showPresence(Answers answers, Deadline deadline, Sessions writer) throws StoreFailure {
        List<Heartbeat.Ticket> tickets =
                answers.unshown.stream().map(answers.command.tickets()::get).toList();
        int alive = 0;
        try {
            alive = writer.beat(
                    deadline, session -> tables.showPresence(session, client, tickets, timings.presenceMicros()));
        } catch (StoreFailure failure) {
            rowLocks.requireLocked(failure);
        }
        if (alive != tickets.size()) {
            answers.unshown.forEach(i -> answers.tickets[i] = null);
        }
    }

    /** Answers from one read of the names everything that needs no change. */
    private boolean look(Session session, Answers answers) throws SQLException {
        Map<String, List<Long>> own = new HashMap<>();
        answers.command
                .tickets()
                .forEach(ticket -> own.computeIfAbsent(ticket.resource().name(), fresh -> new ArrayList<>(1))
                        .add(ticket.attempt()));
        Map<String, Snapshot> snapshots = tables.loadHeads(session, answers.open(), client, own, Transactions.HEAD);
        answers.snapshots = snapshots;
        answers.unshown.clear();
        Moment moment = snapshots.isEmpty()
                ? tables.now(session)
                : snapshots.values().iterator().next().moment();
        answers.stamp = stamps.of(moment);
        for (int i = 0; i < answers.holds.length; i++) {
            Hold hold = answers.command.holds().get(i);
            if (answers.holds[i] == null) {
                Snapshot snapshot = snapshots.getOrDefault(hold.resource().name(), Snapshot.nothingAt(moment));
                answers.holds[i] = look(session, hold, snapshot, answers);
            }
        }
        for (int i = 0; i < answers.tickets.length; i++) {
            Heartbeat.Ticket ticket = answers.command.tickets().get(i);
            Snapshot snapshot = snapshots.getOrDefault(ticket.resource().name(), Snapshot.nothingAt(moment));
            if (answers.isHoldOpen(ticket.resource().name())) {
                continue;
            }
            answers.tickets[i] = reading.poll(session, client, ticket, snapshot);
            // A heartbeat with holds is rare enough to write presence each time.
            if (answers.tickets[i] instanceof Heartbeat.Waiting
                    && (answers.holds.length > 0 || !reading.isFresh(client, ticket, snapshot))) {
                answers.unshown.add(i);
            }
        }
        return true;
    }

    private @Nullable HoldReply look(Session session, Hold hold, Snapshot snapshot, Answers answers) {
        Long until = answers.renewedUntil.get(hold.attempt());
        Long kept = snapshot.heldUntil(client, hold);
        if (until != null && kept != null && kept >= until - SAME_MOMENT_MICROS) {
            return new Heartbeat.Renewed(kept, snapshot.queue().isAlive(snapshot.nowMicros()));
        }
        return reading.confirm(session, client, hold, answers.command.number().value(), snapshot);
    }

    /** Answers in a transaction everything that has no answer yet and whose name is among the given ones. */
    private void work(Answers answers, Set<String> names, Deadline deadline, Sessions writer) throws StoreFailure {
        if (names.isEmpty()) {
            return;
        }
        try {
            // The answers count only after the transaction has committed.
            Rest rest = new Rest(answers, names);
            writer.beat(deadline, session -> transactions.run(session, rest.asked(), rest::on));
            rest.settle();
        } catch (StoreFailure failure) {
            rowLocks.requireLocked(failure);
        }
    }

    /** The answers of one transaction. */
    private final class Rest {
        private final Answers answers;
        private final Set<String> names;
        private final Map<Integer, HoldReply> holds = new HashMap<>();
        private final Map<Integer, TicketReply> tickets = new HashMap<>();
        private @Nullable Stamp stamp;

        Rest(Answers answers, Set<String> names) {
            this.answers = answers;
            this.names = names;
        }

        boolean on(Transaction transaction) {
            long number = answers.command.number().value();
            for (int i = 0; i < answers.holds.length; i++) {
                Hold hold = answers.command.holds().get(i);
                if (answers.holds[i] == null && names.contains(hold.resource().name())) {
                    ResourceRow entry = transaction.entry(hold.resource());
                    holds.put(i, entry.heartbeat(client, hold, number));
                }
            }
            for (int i = 0; i < answers.tickets.length; i++) {
                Heartbeat.Ticket ticket = answers.command.tickets().get(i);
                if (answers.tickets[i] == null
                        && names.contains(ticket.resource().name())) {
                    tickets.put(i, transaction.entry(ticket.resource()).heartbeat(client, ticket));
                }
            }
            stamp = transaction.stamp();
            return true;
        }

        List<Transactions.Asked> asked() {
            return Stream.concat(
                            answers.command.holds().stream()
                                    .map(hold -> new Transactions.Asked(hold.resource(), hold.attempt())),
                            answers.command.tickets().stream()
                                    .map(ticket -> new Transactions.Asked(ticket.resource(), ticket.attempt())))
                    .filter(each -> names.contains(each.resource().name()))
                    .toList();
        }

        void settle() {
            holds.forEach((i, reply) -> answers.holds[i] = reply);
            tickets.forEach((i, reply) -> answers.tickets[i] = reply);
            answers.stamp = stamp;
        }
    }
}
