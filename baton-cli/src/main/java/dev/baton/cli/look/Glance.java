package dev.baton.cli.look;

import dev.baton.Admin;
import dev.baton.LockInfo;
import java.util.List;

/**
 * The locks that are held or waited for at one moment, up to a limit.
 *
 * @param locks in order of names
 * @param more whether there are more than the limit allows
 */
record Glance(List<LockInfo> locks, boolean more) {
    static Glance at(Admin admin, String prefix, int limit) {
        // One more than is shown, to learn whether there are more.
        List<LockInfo> found = admin.list(prefix, limit + 1);
        boolean more = found.size() > limit;
        return new Glance(more ? found.subList(0, limit) : found, more);
    }

    /** Returns remarks that the table does not show. */
    List<String> remarks(int limit) {
        if (locks.isEmpty()) {
            return List.of("nobody holds a lock or waits for one");
        }
        return more ? List.of("there are more than " + limit + ": name a PREFIX, or a greater --limit") : List.of();
    }
}
