package dev.baton.jdbc;

import dev.baton.internal.store.Elsewhere;
import dev.baton.internal.store.Pace;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Combines commands of one kind that meet: all that are queued when a session becomes free go as one statement, with one
 * round trip and one commit. A command that meets no other goes alone, so a client that is not busy combines nothing.
 *
 * <p>One caller, the leader, waits for a session on behalf of all. When it has one, it takes the queued commands, and a
 * caller that comes later leads next. The idea is that of flat combining (Hendler, Incze, Shavit and Tzafrir, 2010), with a
 * session in place of the lock.
 *
 * <p>Thread-safe. Callers are not interruptible.
 *
 * @param <C> the commands
 * @param <R> their answers
 */
final class Combiner<C, R> {
    /** Keeps statements short: a longer one would delay all its callers, and lock more rows at once. */
    static final int MOST = 64;

    /** One statement for many commands. */
    interface Together<C, R> {
        /** Returns the answers to the commands that it has executed; the others had no effect. */
        Map<C, ? extends R> on(Session session, List<C> commands) throws SQLException;
    }

    private final RowLocks.Runner sessions;
    private final Predicate<StoreFailure> isLocked;
    private final Function<Effect, StoreFailure> busy;
    private final Function<C, String> name;
    private final Together<C, R> together;
    private final Queue<Entry<C, R>> queued = new ConcurrentLinkedQueue<>();

    private final AtomicInteger waiting = new AtomicInteger();

    /** Whether a leader waits for a session. */
    private final AtomicBoolean led = new AtomicBoolean();

    /** The number of statements under way. */
    private final AtomicInteger running = new AtomicInteger();

    private final Pace pace;

    /**
     * Creates a combiner.
     *
     * @param sessions lends sessions; a call fails if a row is locked
     * @param isLocked recognizes that failure
     * @param busy makes the failure of a command for which others left no time
     * @param name the name that a command is for; a statement has each name once
     * @param pace when commands wait for others
     */
    Combiner(
            RowLocks.Runner sessions,
            Predicate<StoreFailure> isLocked,
            Function<Effect, StoreFailure> busy,
            Function<C, String> name,
            Together<C, R> together,
            Pace pace) {
        this.sessions = sessions;
        this.isLocked = isLocked;
        this.busy = busy;
        this.name = name;
        this.together = together;
        this.pace = pace;
    }

    /** How a command ended: an answer, a failure, or neither if it had no effect. */
    private record Outcome<R>(@Nullable R answer, @Nullable StoreFailure failure) {}

    /** A command and its caller. */
    private static final class Entry<C, R> {
        private final C command;
        private final Session.Work<R> alone;
        private final Deadline deadline;
        private final Deadline patience;
        private final Thread caller = Thread.currentThread();
        /** Whether it left the queue: for a statement, or because its caller gave up. */
        private final AtomicBoolean left = new AtomicBoolean();

        private final AtomicReference<@Nullable Outcome<R>> outcome = new AtomicReference<>();

        Entry(C command, Session.Work<R> alone, Deadline deadline, Deadline patience) {
            this.command = command;
            this.alone = alone;
            this.deadline = deadline;
            this.patience = patience;
        }

        /** Returns whether a statement with this much time may fail for it: its own time is not more than twice as long. */
        boolean bears(long statementNanos) {
            return deadline.leftNanos() / 2 <= statementNanos;
        }

        boolean isQueued() {
            return !left.get();
        }

        /** Takes it out of the queue; false if another thread was first. */
        boolean leave() {
            return left.compareAndSet(false, true);
        }

        /** Tells the caller; only the first outcome counts. */
        void end(@Nullable R answer, @Nullable StoreFailure failure) {
            if (outcome.compareAndSet(null, new Outcome<>(answer, failure))) {
                LockSupport.unpark(caller);
            }
        }
    }

    /** Returns a combiner; null if the database has no such statement. */
    static <C, R> @Nullable Combiner<C, R> on(
            Sessions sessions, Sql statement, Function<C, String> name, Together<C, R> together) {
        return sessions.dialect().has(statement)
                ? new Combiner<>(
                        sessions::runUnlessLocked,
                        sessions::isLocked,
                        sessions::busy,
                        name,
                        together,
                        new Pace(sessions.number()))
                : null;
    }

    /**
     * Executes a command, together with others if there are any.
     *
     * @param alone executes it if there are none, or if there is so little time that its statement may outlive it
     * @param rest executes the rest of it, on a session of its own, if it went with others and had no effect
     * @throws StoreFailure that of the statement; or with {@link Effect#NONE} if no session was free in time
     */
    R run(C command, Deadline deadline, Session.Work<R> alone, Session.Work<R> rest) throws StoreFailure {
        if (Elsewhere.isBrief(deadline)) {
            return sessions.run(deadline, alone);
        }
        R answer = meet(command, deadline, alone);
        return answer != null ? answer : sessions.run(deadline, rest);
    }

    private @Nullable R meet(C command, Deadline deadline, Session.Work<R> alone) throws StoreFailure {
        Entry<C, R> own = new Entry<>(command, alone, deadline, pace.patience());
        queued.add(own);
        waiting.incrementAndGet();
        boolean interrupted = false;
        try {
            Outcome<R> outcome = own.outcome.get();
            while (outcome == null) {
                long left = deadline.leftNanos();
                if (left <= 0) {
                    giveUp(own);
                } else if (isAnotherDue(own) && led.compareAndSet(false, true)) {
                    lead(own, deadline);
                } else {
                    long patience = own.patience.leftNanos();
                    LockSupport.parkNanos(this, patience > 0 ? Math.min(left, patience) : left);
                    interrupted |= Thread.interrupted();
                }
                outcome = own.outcome.get();
            }
            return answer(outcome);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isAnotherDue(Entry<C, R> own) {
        return own.isQueued() && pace.isAnotherDue(running.get(), waiting.get(), own.patience);
    }

    private static <R> @Nullable R answer(Outcome<R> outcome) throws StoreFailure {
        StoreFailure failed = outcome.failure();
        if (failed != null) {
            // Each caller has a failure of its own, with its own stack.
            throw new StoreFailure(
                    failed.effect(), failed.reason(), String.valueOf(failed.getMessage()), failed.getCause());
        }
        return outcome.answer();
    }

    /** Returns how many commands are queued. */
    int waiting() {
        return waiting.get();
    }

    private void giveUp(Entry<C, R> own) {
        Effect effect = withdraw(own) ? Effect.NONE : Effect.UNKNOWN;
        callNext();
        own.end(null, busy.apply(effect));
    }

    private boolean withdraw(Entry<C, R> own) {
        if (!own.leave()) {
            return false;
        }
        queued.remove(own);
        waiting.decrementAndGet();
        return true;
    }

    /** Wakes a caller that may lead, unless there is a leader. */
    private void callNext() {
        Entry<C, R> next = queued.peek();
        if (next != null && !led.get()) {
            LockSupport.unpark(next.caller);
        }
    }

    /** Waits for a session, and executes the queued commands on it. */
    private void lead(Entry<C, R> own, Deadline deadline) {
        Round round = new Round(deadline);
        StoreFailure failed = null;
        try {
            sessions.run(deadline, round::execute);
            round.took();
        } catch (StoreFailure failure) {
            failed = failure;
        } catch (RuntimeException | Error broken) {
            failed = new StoreFailure(Effect.UNKNOWN, "the statement of several commands was broken off", broken);
            throw broken;
        } finally {
            round.end(failed);
            if (failed != null && withdraw(own)) {
                own.end(null, failed);
            }
        }
    }

    /** A leader's commands. The leader ends it, even if another thread still executes them. */
    private final class Round {
        /** Null until there was a session. */
        private final AtomicReference<@Nullable List<Entry<C, R>>> taken = new AtomicReference<>();

        private final Deadline deadline;
        private volatile long leftAtFirst;

        Round(Deadline deadline) {
            this.deadline = deadline;
        }

        /** Is called again if the database was busy and has executed nothing. */
        boolean execute(Session session) throws SQLException, StoreFailure {
            if (taken.get() == null) {
                begin();
            }
            List<Entry<C, R>> entries = Objects.requireNonNull(taken.get());
            if (entries.size() > 1) {
                Map<C, ? extends R> answers = together.on(
                        session, entries.stream().map(entry -> entry.command).toList());
                entries.forEach(entry -> entry.end(answers.get(entry.command), null));
            } else if (!entries.isEmpty()) {
                Entry<C, R> only = entries.get(0);
                only.end(only.alone.on(session), null);
            }
            return true;
        }

        private void begin() {
            leftAtFirst = deadline.leftNanos();
            List<Entry<C, R>> mine = take(leftAtFirst);
            if (taken.compareAndSet(null, mine)) {
                running.incrementAndGet();
            } else {
                StoreFailure late = busy.apply(Effect.NONE);
                mine.forEach(entry -> entry.end(null, late));
            }
            led.set(false);
            callNext();
        }

        /** Learns from a round that has succeeded. */
        void took() {
            pace.took(
                    leftAtFirst - deadline.leftNanos(),
                    Objects.requireNonNull(taken.get()).size());
        }

        /** Tells the callers that have no answer. If there was no session, they are still queued, and another one leads. */
        void end(@Nullable StoreFailure failed) {
            List<Entry<C, R>> entries = taken.getAndSet(List.of());
            if (entries == null) {
                led.set(false);
                callNext();
                return;
            }
            running.decrementAndGet();
            callNext();
            // If the row of one is locked, the others need not wait for it.
            StoreFailure why = failed != null && entries.size() > 1 && isLocked.test(failed) ? null : failed;
            entries.forEach(entry -> entry.end(null, why));
        }
    }

    /**
     * Takes commands out of the queue, each name once. Those whose callers have far more time than this statement stay: they
     * would fail with it, long before their own time is over.
     */
    private List<Entry<C, R>> take(long statementNanos) {
        Entry<C, R> only = waiting.get() == 1 ? queued.peek() : null;
        if (only != null && only.bears(statementNanos) && withdraw(only)) {
            // The usual case, without the list and the set of the others.
            return List.of(only);
        }
        List<Entry<C, R>> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Iterator<Entry<C, R>> each = queued.iterator(); each.hasNext() && entries.size() < MOST; ) {
            Entry<C, R> entry = each.next();
            if (entry.bears(statementNanos) && names.add(name.apply(entry.command)) && entry.leave()) {
                each.remove();
                waiting.decrementAndGet();
                entries.add(entry);
            }
        }
        return entries;
    }
}
