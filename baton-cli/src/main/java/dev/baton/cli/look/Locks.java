package dev.baton.cli.look;

import dev.baton.LockInfo;
import dev.baton.cli.console.DurationConverter;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.Table;
import dev.baton.cli.console.Table.Align;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.console.Who;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Formats locks for users and programs. Names and descriptions come from other users, so all of them are made
 * printable.
 */
final class Locks {
    private static final List<String> HEAD = List.of("NAME", "TOKEN", "HELD", "LEFT", "QUEUE", "HOLDER");

    private static final String TAKEN = "being taken away";

    private static final String KEPT = "kept free";

    private Locks() {}

    /** Returns whether the store grants it to no client for a time, though it has no holder. */
    static boolean isKept(LockInfo lock) {
        return lock.holders().isEmpty() && !lock.keptFor().isZero();
    }

    /** Returns for how long the store grants it to no client. */
    static String keptFor(LockInfo lock) {
        return KEPT + " for another " + DurationConverter.text(lock.keptFor());
    }

    /** Returns a heading and a line for each holder. On a terminal no line is longer than the terminal is wide. */
    static List<String> table(List<LockInfo> locks, Terminal out) {
        Table table = new Table(Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.LEFT);
        table.row(HEAD);
        for (LockInfo lock : locks) {
            String name = Printable.of(lock.name());
            String waiters = Integer.toString(lock.waiters().size());
            if (lock.holders().isEmpty()) {
                String left = isKept(lock) ? DurationConverter.text(lock.keptFor()) : "-";
                table.row(List.of(name, "-", "-", left, waiters, isKept(lock) ? "nobody, " + KEPT : "-"));
            }
            for (LockInfo.Holder holder : lock.holders()) {
                Who who = Who.of(holder.description());
                table.row(List.of(
                        name,
                        Long.toString(holder.firstToken()),
                        who.age(),
                        DurationConverter.text(left(holder)),
                        waiters,
                        who.name() + (holder.revoked() ? " (" + TAKEN + ')' : "")));
            }
        }
        return out.isTerminal() ? table.lines(out.width()) : table.lines();
    }

    /** Returns one line on the state of one lock. */
    static String line(LockInfo lock) {
        StringBuilder line = new StringBuilder(Printable.of(lock.name())).append(": ");
        if (lock.holders().isEmpty()) {
            line.append(isKept(lock) ? keptFor(lock) : lock.waiters().isEmpty() ? "free" : "held by nobody");
        }
        String separator = "";
        for (LockInfo.Holder holder : lock.holders()) {
            Who who = Who.of(holder.description());
            line.append(separator)
                    .append(holder.revoked() ? "being taken from " : "held by ")
                    .append(who.name())
                    .append(who.since() == null ? "" : " since " + who.since())
                    .append(", token ")
                    .append(holder.firstToken());
            separator = "; ";
        }
        if (lock.permits() > 0) {
            line.append(", ").append(permits(lock));
        }
        return lock.waiters().isEmpty()
                ? line.toString()
                : line.append(", ")
                        .append(lock.waiters().size())
                        .append(" waiting")
                        .toString();
    }

    /** Returns how many permits of a semaphore are held, of those that are granted at present. */
    static String permits(LockInfo semaphore) {
        int held =
                semaphore.holders().stream().mapToInt(LockInfo.Holder::permits).sum();
        return held + " of " + semaphore.permits() + " permits held";
    }

    /** Returns how long a hold lasts without a renewal. */
    static String remaining(LockInfo.Holder holder) {
        return DurationConverter.text(left(holder)) + (holder.revoked() ? " (" + TAKEN + ')' : "");
    }

    private static Duration left(LockInfo.Holder holder) {
        return holder.remaining().isNegative() ? Duration.ZERO : holder.remaining();
    }

    /** Returns a lock without holders and waiters. */
    static LockInfo free(String name) {
        return new LockInfo(name, LockInfo.Kind.LOCK, List.of(), List.of(), Duration.ZERO, 0);
    }

    static Map<String, Object> json(LockInfo lock) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", lock.name());
        json.put("kind", lock.kind().toString());
        json.put("held", !lock.holders().isEmpty());
        json.put("holders", lock.holders().stream().map(Locks::json).toList());
        json.put("waiters", lock.waiters());
        json.put("keptMillis", lock.keptFor().toMillis());
        if (lock.permits() > 0) {
            json.put("permits", lock.permits());
        }
        return json;
    }

    static Map<String, Object> json(LockInfo.Holder holder) {
        Map<String, Object> json = new LinkedHashMap<>();
        Instant since = Who.of(holder.description()).since();
        json.put("description", holder.description());
        json.put("since", since == null ? null : since.toString());
        json.put("clientId", holder.clientId());
        json.put("token", holder.firstToken());
        json.put("remainingMillis", holder.remaining().toMillis());
        json.put("revoked", holder.revoked());
        if (holder.permits() > 0) {
            json.put("permits", holder.permits());
        }
        return json;
    }
}
