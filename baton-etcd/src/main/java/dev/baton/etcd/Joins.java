package dev.baton.etcd;

import dev.baton.etcd.EtcdSession.Answered;
import dev.baton.etcd.EtcdSession.Lease;
import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.EntryLabel;
import dev.baton.internal.ordered.EntryNotes;
import dev.baton.internal.ordered.OrderedServer.Joined;
import dev.baton.internal.ordered.OrderedServer.Noted;
import dev.baton.spi.StoreFailure;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tickets on their way into a queue, each in one transaction with a read of the queue.
 *
 * <p>The transaction also compares the revision of the client's key, the epoch. Undoing an attempt writes that key, so
 * a transaction that was sent before cannot create an entry any more, however late it arrives. The transactions of
 * other attempts in transit fail as well, and are sent again with the new epoch; that of an undone attempt is not,
 * which is decided before the key is written.
 */
final class Joins {
    /** Allows for this many undone attempts of the same client in between. */
    private static final int MOST_TRIES = 100;

    private final EtcdSession session;
    private final Combiner combiner;
    private final Ranges ranges;
    private final Keys keys;
    private final Looks looks;
    private final Seats seats;
    private final Map<Key, Join> joins = new ConcurrentHashMap<>();

    private record Key(String name, long attempt) {}

    Joins(EtcdSession session, Combiner combiner, Ranges ranges, Keys keys, Looks looks, Seats seats) {
        this.session = session;
        this.combiner = combiner;
        this.ranges = ranges;
        this.keys = keys;
        this.looks = looks;
        this.seats = seats;
    }

    /** Joins after another operation has ended. */
    CompletableFuture<Joined> join(String name, EntryLabel label, EntryNotes notes, CompletableFuture<?> before) {
        Key key = new Key(name, label.attempt());
        Join join = new Join(name, label, notes);
        joins.put(key, join);
        return before.handle((done, failed) -> true)
                .thenCompose(now -> join.send(0))
                .whenComplete((joined, failed) -> {
                    joins.remove(key, join);
                    if (isNothingMade(failed)) {
                        seats.free(name, label.attempt());
                    }
                });
    }

    private static boolean isNothingMade(@Nullable Throwable failed) {
        Throwable cause = failed instanceof CompletionException ? failed.getCause() : failed;
        return cause instanceof StoreFailure failure && failure.effect() == StoreFailure.Effect.NONE;
    }

    /** Stops sending for an attempt. */
    void stop(String name, long attempt) {
        Join join = joins.get(new Key(name, attempt));
        if (join != null) {
            join.stop();
        }
    }

    private final class Join {
        private final String name;
        private final EntryLabel label;
        private final EntryNotes notes;
        private boolean stopped;

        Join(String name, EntryLabel label, EntryNotes notes) {
            this.name = name;
            this.label = label;
            this.notes = notes;
        }

        synchronized void stop() {
            stopped = true;
        }

        CompletableFuture<Joined> send(int tries) {
            CompletableFuture<Optional<Joined>> queued = queue(tries);
            combiner.send();
            return queued.thenCompose(
                    joined -> joined.map(CompletableFuture::completedFuture).orElseGet(() -> send(tries + 1)));
        }

        /** Reads the epoch while the attempt is not given up. What is queued then may be sent later: it compares this epoch. */
        private synchronized CompletableFuture<Optional<Joined>> queue(int tries) {
            if (stopped || tries > MOST_TRIES) {
                return CompletableFuture.failedFuture(
                        new StoreFailure(StoreFailure.Effect.UNKNOWN, "the attempt was given up meanwhile", null));
            }
            return session.prove(this::commit);
        }

        private CompletableFuture<Answered<Optional<Joined>>> commit(Lease lease) {
            Seats.Seat seat = seats.take(name, label.attempt(), lease.id());
            ByteSequence key = Keys.bytes(keys.seat(seat, EntryLabel.Sort.TICKET));
            ByteSequence delay = Keys.bytes(keys.seat(seat, EntryLabel.Sort.DELAY));
            List<Cmp> compares = new ArrayList<>();
            compares.add(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0)));
            compares.add(new Cmp(session.key(), Cmp.Op.EQUAL, CmpTarget.modRevision(session.epoch())));
            Op put = Op.put(
                    key,
                    Keys.value(label, notes),
                    PutOption.builder().withLeaseId(lease.number()).build());
            // The delay record of an earlier hold that failed must stay, and must not stand beside another client's
            // ticket.
            compares.add(new Cmp(delay, Cmp.Op.EQUAL, CmpTarget.createRevision(0)));
            Change change = new Change(
                    "joining a line",
                    name,
                    true,
                    compares,
                    branches(put, Ranges.FIRST),
                    branches(put, Ranges.FIRST_OF_MANY));
            return combiner.queue(change)
                    .thenCompose(committed -> undone(ranges.line(
                                    keys.line(name), committed.gets().get(0), committed.revision()))
                            .thenApply(line -> outcome(lease, seat, committed, line)));
        }

        private Change.Branches branches(Op put, GetOption first) {
            Op look = Op.get(Keys.bytes(keys.line(name)), first);
            return new Change.Branches(List.of(put, look), List.of(look, Op.get(session.key(), GetOption.DEFAULT)));
        }

        /** A ticket in the queue has to be undone after any failure. */
        private static <T> CompletableFuture<T> undone(CompletableFuture<T> answer) {
            return answer.exceptionallyCompose(failed -> {
                Throwable cause = failed instanceof CompletionException ? failed.getCause() : failed;
                return CompletableFuture.failedFuture(
                        cause instanceof StoreFailure known
                                ? new StoreFailure(
                                        StoreFailure.Effect.UNKNOWN,
                                        known.reason(),
                                        String.valueOf(known.getMessage()),
                                        known)
                                : failed);
            });
        }

        private Answered<Optional<Joined>> outcome(
                Lease lease, Seats.Seat seat, Committed committed, Ranges.Line found) {
            long term = committed.term();
            List<KeyValue> line = found.entries();
            Optional<Joined> joined = joined(lease, seat, found.revision(), line);
            if (committed.succeeded()) {
                return new Answered<>(joined, true, term);
            }
            List<KeyValue> client = committed.gets().get(1).getKvs();
            if (client.isEmpty() || !Keys.text(client.get(0).getValue()).equals(lease.id())) {
                return new Answered<>(Optional.empty(), false, term);
            }
            session.newEpoch(lease, client.get(0).getModRevision());
            Set<String> there = new HashSet<>();
            line.forEach(each -> there.add(Keys.text(each.getKey())));
            if (joined.isEmpty() && !isFree(seat, there)) {
                seats.exchange(seat, label.attempt(), other -> isFree(other, there));
            }
            return new Answered<>(joined, true, term);
        }

        private boolean isFree(Seats.Seat seat, Set<String> there) {
            return !there.contains(keys.seat(seat, EntryLabel.Sort.TICKET))
                    && !there.contains(keys.seat(seat, EntryLabel.Sort.DELAY));
        }

        /** Returns the ticket with the queue, if the ticket is there. */
        private Optional<Joined> joined(Lease lease, Seats.Seat seat, long revision, List<KeyValue> line) {
            List<Entry> entries = Keys.entries(name, line);
            ByteSequence key = Keys.bytes(keys.seat(seat, EntryLabel.Sort.TICKET));
            for (KeyValue each : line) {
                Entry entry = new Entry(name, label, Keys.id(each));
                if (each.getKey().equals(key) && entries.contains(entry)) {
                    looks.joined(name, Looks.Look.of(revision, entries));
                    Noted own = new Noted(entry, each.getCreateRevision(), each.getModRevision(), notes);
                    return Optional.of(new Joined(own, lease.id(), entries));
                }
            }
            return Optional.empty();
        }
    }
}
