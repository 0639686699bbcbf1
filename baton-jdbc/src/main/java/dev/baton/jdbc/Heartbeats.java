package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Heartbeat.Hold;
import dev.baton.spi.Heartbeat.HoldReply;
import dev.baton.spi.Heartbeat.TicketReply;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Works on heartbeats in as few statements as they need. First one for all holds that stand and are to be renewed for the
 * same time; then one that reads everything else, of which most needs no change (tickets that wait on, explicit leases);
 * what is left over is worked on in a transaction. Thread-safe.
 */
final class Heartbeats {
    private final Tables tables;
    private final Reading reading;
    private final String client;
    private final Timings timings;
    private final String runId;

    Heartbeats(Tables tables, Reading reading, String client, Timings timings, String runId) {
        this.tables = tables;
        this.reading = reading;
        this.client = client;
        this.timings = timings;
        this.runId = runId;
    }

    /** What is known of one heartbeat's answer. */
    private static final class Answers {
        final Heartbeat command;
        final @Nullable HoldReply[] holds;
        final @Nullable TicketReply[] tickets;

        /** The time up to which a hold that stands was renewed a moment ago, whatever its number in the list. */
        final Map<Long, Long> renewedUntil = new LinkedHashMap<>();

        @Nullable
        Stamp stamp;

        Answers(Heartbeat command) {
            this.command = command;
            this.holds = new HoldReply[command.holds().size()];
            this.tickets = new TicketReply[command.tickets().size()];
        }

        /** What has no answer yet. */
        List<Resource> open() {
            List<Resource> open = new ArrayList<>();
            for (int i = 0; i < holds.length; i++) {
                if (holds[i] == null) {
                    open.add(command.holds().get(i).resource());
                }
            }
            for (int i = 0; i < tickets.length; i++) {
                if (tickets[i] == null) {
                    open.add(command.tickets().get(i).resource());
                }
            }
            return open;
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
        Map<Alike, List<Integer>> alike = alike(command.holds());
        if (!alike.isEmpty()) {
            writer.run(deadline, session -> {
                for (List<Integer> group : alike.values()) {
                    renew(session, group, answers);
                }
                return true;
            });
        }
        if (answers.stamp == null || !answers.open().isEmpty()) {
            reader.run(deadline, session -> look(session, answers));
        }
        if (!answers.open().isEmpty()) {
            writer.run(deadline, session -> session.transaction(each -> work(each, answers)));
        }
        return answers.reply();
    }

    /** What holds have in common that one statement can renew. */
    private record Alike(long leaseMicros, boolean extend) {}

    private static Map<Alike, List<Integer>> alike(List<Hold> holds) {
        Map<Alike, List<Integer>> groups = new LinkedHashMap<>();
        for (int i = 0; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            if (hold.resource().capacity() == 1) {
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
            List<long[]> times = tables.renew(session, client, holds);
            if (times.isEmpty()) {
                continue;
            }
            long now = times.get(0)[0];
            long until = now + holds.get(0).leaseMicros();
            answers.stamp = stamp(now);
            if (times.size() == part.size()) {
                part.forEach(i -> answers.holds[i] = new Heartbeat.Renewed(until));
            } else {
                part.forEach(i ->
                        answers.renewedUntil.put(answers.command.holds().get(i).attempt(), until));
            }
        }
    }

    /** Answers from one look at the names what needs no change. */
    private boolean look(Session session, Answers answers) throws SQLException {
        Map<String, Snapshot> snapshots = tables.load(
                session, answers.open().stream().map(Resource::name).distinct().toList());
        answers.stamp = stamp(
                snapshots.isEmpty()
                        ? tables.now(session)
                        : snapshots.values().iterator().next().nowMicros());
        for (int i = 0; i < answers.holds.length; i++) {
            Hold hold = answers.command.holds().get(i);
            if (answers.holds[i] == null) {
                Snapshot snapshot = snapshots.getOrDefault(hold.resource().name(), Snapshot.NOTHING);
                answers.holds[i] = look(session, hold, snapshot, answers);
            }
        }
        for (int i = 0; i < answers.tickets.length; i++) {
            Heartbeat.Ticket ticket = answers.command.tickets().get(i);
            Snapshot snapshot = snapshots.getOrDefault(ticket.resource().name(), Snapshot.NOTHING);
            // A heartbeat with holds comes seldom enough to show presence each time.
            if (answers.holds.length == 0) {
                answers.tickets[i] = reading.poll(session, client, ticket, snapshot);
            }
        }
        return true;
    }

    private @Nullable HoldReply look(Session session, Hold hold, Snapshot snapshot, Answers answers) {
        Long until = answers.renewedUntil.get(hold.attempt());
        if (until != null && snapshot.isHeldUntil(client, hold, until)) {
            return new Heartbeat.Renewed(until);
        }
        return reading.confirm(session, client, hold, answers.command.number().value(), snapshot);
    }

    /** Answers the rest. */
    private boolean work(Session session, Answers answers) throws SQLException {
        Transaction names = Transaction.on(answers.open(), tables, session, timings, runId);
        long number = answers.command.number().value();
        for (int i = 0; i < answers.holds.length; i++) {
            if (answers.holds[i] == null) {
                Hold hold = answers.command.holds().get(i);
                Entry entry = names.entry(hold.resource());
                answers.holds[i] = entry.stateFor(hold.resource()).heartbeat(client, hold, number, entry.moment());
            }
        }
        for (int i = 0; i < answers.tickets.length; i++) {
            if (answers.tickets[i] == null) {
                Heartbeat.Ticket ticket = answers.command.tickets().get(i);
                Entry entry = names.entry(ticket.resource());
                answers.tickets[i] =
                        entry.stateFor(ticket.resource()).heartbeat(client, ticket.attempt(), entry.moment());
            }
        }
        names.save();
        answers.stamp = names.stamp();
        return true;
    }

    private Stamp stamp(long nowMicros) {
        return new Stamp(runId, nowMicros, 0);
    }
}
