package dev.baton.internal.ordered;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides from the entries of a queue alone whose turn it is: the tickets at the front hold, as many as fit into the
 * capacity by their weights. Entries join at the end and never move, so a holder stays a holder, and no ticket
 * overtakes another.
 */
final class OrderedView {
    private static final Comparator<Entry> BY_NUMBER = Comparator.<Entry>comparingLong(
                    each -> each.label().attempt())
            .thenComparing(each -> each.label().client());

    private final List<Entry> tickets = new ArrayList<>();
    private final List<Entry> orphans = new ArrayList<>();
    private final List<EntryLabel> lowered = new ArrayList<>(0);
    private final List<Entry> withheld = new ArrayList<>(0);
    private final int holders;

    OrderedView(List<Entry> line) {
        List<Entry> delays = new ArrayList<>();
        for (Entry entry : line) {
            switch (entry.label().sort()) {
                case TICKET -> tickets.add(entry);
                case LOWERED -> lowered.add(entry.label());
                case DELAY, KEEPER -> delays.add(entry);
                case WITHHELD -> withheld.add(entry);
            }
        }
        withheld.sort(BY_NUMBER);
        for (Entry delay : delays) {
            if (indexOf(delay.label()) < 0) {
                orphans.add(delay);
            }
        }
        holders = countHolders();
    }

    private int countHolders() {
        long used = withheld();
        for (int i = 0; i < tickets.size(); i++) {
            used += weightOf(tickets.get(i));
            if (used > tickets.get(i).label().capacity()) {
                return i;
            }
        }
        return tickets.size();
    }

    /** Returns how much of the capacity a ticket takes: less than it asked for, if a writer has become a reader. */
    int weightOf(Entry ticket) {
        for (EntryLabel each : lowered) {
            if (each.sameAttempt(ticket.label())) {
                return each.weight();
            }
        }
        return ticket.label().weight();
    }

    /** Returns the entries that withhold some of the capacity; the last one counts. */
    List<Entry> withholding() {
        return withheld;
    }

    /** Returns how much of the capacity is granted to no client. */
    int withheld() {
        return withheld.isEmpty()
                ? 0
                : withheld.get(withheld.size() - 1).label().weight();
    }

    /**
     * Returns whether the front may have holders that {@link #holders} does not count: they held before some of the
     * capacity was withheld. Only their contents tell.
     */
    boolean mayExceed() {
        return !withheld.isEmpty();
    }

    /** Whether a ticket has no room for as long as some of the capacity is withheld. */
    boolean isUnfit(EntryLabel label) {
        return !withheld.isEmpty() && (long) withheld() + label.weight() > label.capacity();
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

    /**
     * Returns how many tickets at the front fit together: the holders, and during a lock-delay the next holders. There
     * may be more holders if some of the capacity {@linkplain #mayExceed was withheld}.
     */
    int holders() {
        return holders;
    }

    /** Whether one more ticket would hold at once, as far as the queue shows. */
    boolean hasRoom(EntryLabel label) {
        long used = (long) label.weight() + withheld();
        for (Entry ticket : tickets) {
            used += weightOf(ticket);
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

    /**
     * Returns the entry that gives the name another kind or capacity than a ticket wants: the first entry decides.
     *
     * @param inTheWay the delay records and keepers that are on; one that is over stands for nothing
     */
    Optional<Entry> otherKind(EntryLabel label, List<Entry> inTheWay) {
        Entry first = tickets.isEmpty() ? null : tickets.get(0);
        if (first == null || first.label().sameAttempt(label)) {
            List<Entry> others = inTheWay.isEmpty() ? withheld : inTheWay;
            first = others.isEmpty() ? null : others.get(0);
        }
        return Optional.ofNullable(first).filter(entry -> !entry.label().sameKind(label));
    }
}
