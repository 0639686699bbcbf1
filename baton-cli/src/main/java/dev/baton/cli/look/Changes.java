package dev.baton.cli.look;

import dev.baton.LockInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The differences between two reads of the locks. Passing time and renewals are not changes. Not thread-safe. */
final class Changes {
    private final Map<String, State> known = new TreeMap<>();

    /** The part of a lock that counts as a change when it differs. */
    private record State(List<Hold> holds, List<String> waiters, boolean kept, int permits) {
        static State of(LockInfo lock) {
            return new State(
                    lock.holders().stream()
                            .map(holder -> new Hold(holder.clientId(), holder.storeToken(), holder.revoked()))
                            .toList(),
                    lock.waiters(),
                    Locks.isKept(lock),
                    lock.permits());
        }
    }

    private record Hold(String clientId, long token, boolean revoked) {}

    /** Returns the locks that differ from the last read, in their new state. */
    List<LockInfo> since(Glance glance) {
        List<LockInfo> changed = new ArrayList<>();
        Map<String, State> before = new TreeMap<>(known);
        known.clear();
        for (LockInfo lock : glance.locks()) {
            State now = State.of(lock);
            known.put(lock.name(), now);
            if (!now.equals(before.remove(lock.name()))) {
                changed.add(lock);
            }
        }
        // The read says nothing beyond its limit: a lock that it no longer shows may still be held.
        String last = glance.locks().isEmpty()
                ? ""
                : glance.locks().get(glance.locks().size() - 1).name();
        before.keySet().stream()
                .filter(name -> !glance.more() || name.compareTo(last) < 0)
                .map(Locks::free)
                .forEach(changed::add);
        return changed;
    }
}
