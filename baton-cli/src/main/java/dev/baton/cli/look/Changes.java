package dev.baton.cli.look;

import dev.baton.LockInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What has changed from one look to the next. Time that passes, and renewals, are no change. Not thread-safe. */
final class Changes {
    private final Map<String, State> known = new TreeMap<>();

    /** What a change is a change of. */
    private record State(List<Hold> holds, List<String> waiters) {
        static State of(LockInfo lock) {
            return new State(
                    lock.holders().stream()
                            .map(holder -> new Hold(holder.clientId(), holder.storeToken(), holder.revoked()))
                            .toList(),
                    lock.waiters());
        }
    }

    private record Hold(String clientId, long token, boolean revoked) {}

    /** The locks that are not as they were, as they are now. */
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
        // Beyond the limit nothing is known: a lock that is not seen any more may be held.
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
