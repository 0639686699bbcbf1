package dev.baton.internal.ordered;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides from the entries of a queue alone whose turn it is: the tickets at the front hold, as many as fit into the
 * capacity by their weights. Entries join at the end and never move, so a holder stays a holder, and no ticket
 * overtakes another.
 */
final class OrderedView {
    private final List<Entry> tickets = new ArrayList<>();
    private final List<Entry> orphans = new ArrayList<>();
    private final int holders;

    OrderedView(List<Entry> line) {
        List<Entry> delays = new ArrayList<>();
        for (Entry entry : line) {
            (entry.isTicket() ? tickets : delays).add(entry);
        }
        for (Entry delay : delays) {
            if (indexOf(delay.label()) < 0) {
                orphans.add(delay);
            }
        }
        holders = countHolders();
    }

    private int countHolders() {
        long used = 0;
        for (int i = 0; i < tickets.size(); i++) {
            used += tickets.get(i).label().weight();
            if (used > tickets.get(i).label().capacity()) {
                return i;
            }
        }
        return tickets.size();
    }

    /** Returns holds and waiting tickets, in order. */
    List<Entry> tickets() {
        return tickets;
    }

    /** Returns delay records whose holder ended without a release. */
    List<Entry> orphans() {
        return orphans;
    }

    /**
     * Whether a lock-delay may be on. A client that begins to hold first removes the records of delays that are over.
     */
    boolean isDelayed() {
        return !orphans.isEmpty();
    }

    /** Returns how many tickets at the front fit together: the holders, and during a lock-delay the next holders. */
    int holders() {
        return holders;
    }

    /** Whether one more ticket would hold at once, as far as the queue shows. */
    boolean hasRoom(EntryLabel label) {
        long used = label.weight();
        for (Entry ticket : tickets) {
            used += ticket.label().weight();
        }
        return used <= label.capacity();
    }

    int indexOf(EntryLabel label) {
        for (int i = 0; i < tickets.size(); i++) {
            if (tickets.get(i).label().sameAttempt(label)) {
                return i;
            }
        }
        return -1;
    }

    /** By identifier, because an entry of the same attempt may remain from an earlier session. */
    int indexOf(String id) {
        for (int i = 0; i < tickets.size(); i++) {
            if (tickets.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the entry that gives the name another kind or capacity than a ticket wants: the first entry decides. */
    Optional<Entry> otherKind(EntryLabel label) {
        Entry first = tickets.isEmpty() ? null : tickets.get(0);
        if (first == null || first.label().sameAttempt(label)) {
            first = orphans.isEmpty() ? null : orphans.get(0);
        }
        return Optional.ofNullable(first).filter(entry -> !entry.label().sameKind(label));
    }
}
