package dev.baton.jdbc;

import dev.baton.jdbc.Transactions.Asked;
import dev.baton.spi.Deadline;
import dev.baton.spi.Release;
import dev.baton.spi.StoreFailure;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Releases holds: one by one, or many in few transactions. Thread-safe. */
final class Releases {
    private final Tables tables;
    private final Transactions transactions;
    private final Sessions writer;
    private final RowLocks rowLocks;
    private final Sweeper sweeper;
    private final String client;
    private final Stamps stamps;
    /** Null if the database has no such statement. */
    private final @Nullable Combiner<Release, Release.Reply> releases;

    Releases(
            Tables tables,
            Transactions transactions,
            Sessions writer,
            RowLocks rowLocks,
            Sweeper sweeper,
            String client,
            Stamps stamps) {
        this.tables = tables;
        this.transactions = transactions;
        this.writer = writer;
        this.rowLocks = rowLocks;
        this.sweeper = sweeper;
        this.client = client;
        this.stamps = stamps;
        this.releases = Combiner.on(
                writer, Sql.RELEASE_ALL, command -> command.resource().name(), this::releasePlain);
    }

    Release.Reply release(Release command, Deadline deadline) throws StoreFailure {
        return release(command, deadline, this::releaseWhenFree);
    }

    List<Release.Reply> releaseAll(List<Release> commands, Deadline deadline) throws StoreFailure {
        return writer.dialect().has(Sql.LOCK_NAMES)
                ? releaseEach(commands, deadline)
                : repeatedly(
                        deadline,
                        () -> writer.run(
                                deadline, session -> session.transaction(each -> releaseTogether(each, commands))));
    }

    /** Sends one release, once. */
    private interface ReleaseOnce {
        Release.Reply send(Release command, Deadline deadline) throws StoreFailure;
    }

    private Release.Reply releaseWhenFree(Release command, Deadline deadline) throws StoreFailure {
        String name = command.resource().name();
        Session.Work<Release.Reply> alone = session -> releaseOne(session, command);
        if (releases == null || !isPlain(command)) {
            return rowLocks.run(deadline, name, alone);
        }
        Session.Work<Release.Reply> rest = session -> releaseInSteps(session, command);
        return rowLocks.run(deadline, name, () -> releases.run(command, deadline, alone, rest), alone);
    }

    /** Releases holds without waiters, of different names, with one statement. */
    private Map<Release, Release.Reply> releasePlain(Session session, List<Release> commands) throws SQLException {
        commands.forEach(command -> command.number().value());
        Map<Release, Release.Reply> replies = new HashMap<>();
        tables.releaseAll(session, client, commands).forEach((command, micros) -> {
            sweeper.released();
            replies.put(command, new Release.Reply(stamps.of(micros), true));
        });
        return replies;
    }

    private Release.Reply releaseUnlessLocked(Release command, Deadline deadline) throws StoreFailure {
        return writer.runUnlessLocked(deadline, session -> releaseOne(session, command));
    }

    private static Release.Reply release(Release command, Deadline deadline, ReleaseOnce how) throws StoreFailure {
        try {
            return how.send(command, deadline);
        } catch (StoreFailure broken) {
            requireRepeatable(broken, deadline);
            return requireKnown(how.send(command, deadline), broken);
        }
    }

    /** Throws if the result is unknown: either the first try released the hold, or the hold was over before. */
    private static Release.Reply requireKnown(Release.Reply reply, @Nullable StoreFailure broken) throws StoreFailure {
        if (broken != null && !reply.released() && broken.effect() == StoreFailure.Effect.UNKNOWN) {
            throw broken;
        }
        return reply;
    }

    /**
     * Lets a release be retried on another connection if the first one turned out to be broken, which often shows only
     * in use. Throws the failure if it has another reason, or if no time is left.
     */
    private static void requireRepeatable(StoreFailure failure, Deadline deadline) throws StoreFailure {
        if (failure.reason() != StoreFailure.Reason.UNREACHABLE || deadline.leftNanos() <= 0) {
            throw failure;
        }
    }

    /** Runs an idempotent call, and retries it once. */
    static <T> T repeatedly(Deadline deadline, RowLocks.Call<T> call) throws StoreFailure {
        try {
            return call.call();
        } catch (StoreFailure broken) {
            requireRepeatable(broken, deadline);
            return call.call();
        }
    }

    /**
     * Releases where others write at the same time. Holds without waiters go in batches: each batch has one commit, for
     * which a database may wait for its disk. Holds with waiters go one by one, and those whose rows are locked go
     * last.
     */
    private List<Release.Reply> releaseEach(List<Release> commands, Deadline deadline) throws StoreFailure {
        Map<Release, Release.Reply> replies = new HashMap<>();
        StoreFailure broken = null;
        for (int from = 0; from < commands.size(); from += Query.LONGEST) {
            List<Release> batch = commands.subList(from, Math.min(commands.size(), from + Query.LONGEST));
            batch.forEach(command -> command.number().value());
            try {
                releaseBatch(batch, replies, deadline);
            } catch (StoreFailure failure) {
                if (!writer.isLocked(failure)) {
                    requireRepeatable(failure, deadline);
                    broken = failure;
                    releaseBatch(batch, replies, deadline);
                }
            }
        }
        releaseRest(commands, replies, broken, deadline);
        return commands.stream()
                .map(command -> Objects.requireNonNull(replies.get(command)))
                .toList();
    }

    private void releaseBatch(List<Release> batch, Map<Release, Release.Reply> replies, Deadline deadline)
            throws StoreFailure {
        Set<String> names = new HashSet<>();
        List<Release> alone = batch.stream()
                .filter(command ->
                        isPlain(command) && names.add(command.resource().name()))
                .toList();
        if (alone.size() < 2) {
            return;
        }
        replies.putAll(writer.runUnlessLocked(
                deadline,
                releases == null
                        ? session -> session.transaction(each -> releaseFound(each, alone))
                        : session -> releasePlain(session, alone)));
    }

    private Map<Release, Release.Reply> releaseFound(Session session, List<Release> commands) throws SQLException {
        Map<Release, Release.Reply> released = new HashMap<>();
        Map<List<Long>, Long> found = tables.findReleasable(session, client, commands);
        for (Release command : commands) {
            Long now = found.get(List.of(command.attempt(), command.token()));
            if (now != null) {
                sweeper.released();
                released.put(command, new Release.Reply(stamps.of(now), true));
            }
        }
        if (!released.isEmpty()) {
            tables.releaseFound(session, client, List.copyOf(released.keySet()));
        }
        return released;
    }

    /**
     * Releases the holds that the batches left.
     *
     * @param broken why a batch was sent twice: the first try may have released what the second one left
     */
    private void releaseRest(
            List<Release> commands,
            Map<Release, Release.Reply> replies,
            @Nullable StoreFailure broken,
            Deadline deadline)
            throws StoreFailure {
        List<Release> locked = new ArrayList<>();
        Set<Release> rest = new LinkedHashSet<>(commands);
        rest.removeAll(replies.keySet());
        for (Release command : rest) {
            String name = command.resource().name();
            if (rowLocks.isSuspected(name)) {
                locked.add(command);
                continue;
            }
            try {
                replies.put(command, requireKnown(release(command, deadline, this::releaseUnlessLocked), broken));
            } catch (StoreFailure failure) {
                if (!writer.isLocked(failure)) {
                    throw failure;
                }
                rowLocks.suspect(name);
                locked.add(command);
            }
        }
        for (Release command : locked) {
            replies.put(command, requireKnown(release(command, deadline, this::releaseWhenFree), broken));
        }
    }

    private Release.Reply releaseOne(Session session, Release command) throws SQLException, StoreFailure {
        command.number().value();
        Release.Reply released = releaseAlone(session, command);
        return released != null ? released : releaseInSteps(session, command);
    }

    private Release.Reply releaseInSteps(Session session, Release command) throws SQLException, StoreFailure {
        return transactions.run(session, asked(command), names -> releaseAndHandOn(names, command));
    }

    private List<Release.Reply> releaseTogether(Session session, List<Release> commands) throws SQLException {
        List<Release.Reply> replies = new ArrayList<>(commands.size());
        for (Release command : commands) {
            command.number().value();
            Release.Reply released = releaseAlone(session, command);
            replies.add(
                    released != null
                            ? released
                            : transactions.within(session, asked(command), names -> releaseAndHandOn(names, command)));
        }
        return replies;
    }

    private static List<Asked> asked(Release command) {
        return List.of(new Asked(command.resource(), command.attempt()));
    }

    /** Whether one statement can do it, if no client waits. */
    private static boolean isPlain(Release command) {
        return command.resource().capacity() == 1 && command.keepMicros() == 0;
    }

    private Release.@Nullable Reply releaseAlone(Session session, Release command) throws SQLException {
        if (!isPlain(command)) {
            return null;
        }
        long[] released = tables.release(session, client, command);
        if (released == null) {
            return null;
        }
        sweeper.released();
        return new Release.Reply(stamps.of(released[0]), true);
    }

    private Release.Reply releaseAndHandOn(Transaction names, Release command) {
        ResourceRow entry = names.entry(command.resource());
        boolean released = entry.stateFor(command.resource()).release(client, command, entry.ledger());
        return new Release.Reply(names.stamp(), released);
    }
}
