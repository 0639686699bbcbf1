package dev.baton.internal.ordered;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whose turn it is in a line, by its entries alone: who holds is those at the front whose weights fit into the capacity
 * together. Entries join at the end and never move, so whoever holds goes on holding, and nobody overtakes.
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

    /** Holds and those who wait, in order. */
    List<Entry> tickets() {
        return tickets;
    }

    /** Delay records whose holder went without a release. */
    List<Entry> orphans() {
        return orphans;
    }

    /** Whether a lock-delay may be on: who begins to hold removes the records of those that are over first. */
    boolean isDelayed() {
        return !orphans.isEmpty();
    }

    /** How many at the front fit together: all that hold, and during a lock-delay those that will. */
    int holders() {
        return holders;
    }

    /** Whether one more ticket would hold at once, as far as the line tells. */
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

    /** By its identity: an entry of the same attempt may be left of an earlier session. */
    int indexOf(String id) {
        for (int i = 0; i < tickets.size(); i++) {
            if (tickets.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    /** The entry by which the name stands for something else than a ticket wants: the first decides. */
    Optional<Entry> otherKind(EntryLabel label) {
        Entry first = tickets.isEmpty() ? null : tickets.get(0);
        if (first == null || first.label().sameAttempt(label)) {
            first = orphans.isEmpty() ? null : orphans.get(0);
        }
        return Optional.ofNullable(first).filter(entry -> !entry.label().sameKind(label));
    }
}
