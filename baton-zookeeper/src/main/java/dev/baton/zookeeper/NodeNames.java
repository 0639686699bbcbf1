package dev.baton.zookeeper;

import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.EntryLabel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Names of the nodes of entries: a label, and for a ticket the number that ZooKeeper appends. */
final class NodeNames {
    private static final int LEAST_CHARACTERS = 10;

    /**
     * The last number to be used. ZooKeeper's counter neither wraps nor stops: at its end it repeats the same number,
     * and the order of tickets would be lost. The tickets that others have in transit meanwhile must fit behind this
     * number.
     */
    static final int LAST = Integer.MAX_VALUE - 1_000_000;

    private NodeNames() {}

    /** Returns whether a ticket's number can no longer be told from others'. */
    static boolean isUsedUp(String path) {
        String child = path.substring(path.lastIndexOf('/') + 1);
        int start = startOfNumber(child);
        if (start == 0) {
            return true;
        }
        long number = Long.parseLong(child.substring(start));
        return number < 0 || number > LAST;
    }

    /**
     * Returns the entries among a parent's children, in the order of their creation. The number behind a name is a
     * signed counter of 32 bits in ten characters or more, including the sign; differences tell which is earlier. No
     * client holds by a number behind {@link #LAST}.
     */
    static List<Entry> entries(String name, String parent, List<String> children) {
        record Numbered(int number, Entry entry) {}
        List<Numbered> tickets = new ArrayList<>(children.size());
        List<Entry> delays = new ArrayList<>();
        for (String child : children) {
            int number = startOfNumber(child);
            if (number > 0) {
                EntryLabel.parse(child.substring(0, number - 1))
                        .ifPresent(label -> tickets.add(new Numbered(
                                (int) Long.parseLong(child.substring(number)),
                                new Entry(name, label, parent + '/' + child))));
            } else {
                EntryLabel.parse(child).ifPresent(label -> delays.add(new Entry(name, label, parent + '/' + child)));
            }
        }
        if (!tickets.isEmpty()) {
            int origin = tickets.get(0).number();
            tickets.sort(Comparator.comparingInt(ticket -> ticket.number() - origin));
        }
        List<Entry> line = new ArrayList<>(children.size());
        tickets.forEach(ticket -> line.add(ticket.entry()));
        line.addAll(delays);
        return line;
    }

    /** Returns where the number behind a name begins, including its sign; 0 if there is none. */
    private static int startOfNumber(String child) {
        int start = child.length();
        while (start > 0 && child.charAt(start - 1) >= '0' && child.charAt(start - 1) <= '9') {
            start--;
        }
        if (start > 1 && child.charAt(start - 1) == '-' && child.charAt(start - 2) == '-') {
            start--;
        }
        boolean isNumber = child.length() - start >= LEAST_CHARACTERS && start > 1 && child.charAt(start - 1) == '-';
        return isNumber && child.startsWith("t-") ? start : 0;
    }
}
