package dev.baton.jdbc;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Ticket;
import java.util.List;

/**
 * What was read of a name's queue: its head, and the tickets of one's own wherever they are. The machine runs on these,
 * and what it says of their number and order is put right here for the tickets that were not read.
 *
 * <p>The head is enough as long as one of its tickets is still there afterwards: whoever is behind it was not looked at.
 *
 * @param tickets the head, then one's own
 * @param places row numbers of the ticket table, in the order of {@code tickets}
 * @param head how many of them are the head
 * @param whole whether there are no others
 * @param counted how many tickets the row of the name counts
 */
record Queue(List<Ticket> tickets, List<Long> places, int head, boolean whole, int counted) {
    static final Queue EMPTY = new Queue(List.of(), List.of(), 0, true, 0);

    /** Whether the machine may have decided on tickets that were not read: all of the head is gone. */
    boolean isExhaustedBy(ResourceState state) {
        if (whole) {
            return false;
        }
        int first = state.tickets().isEmpty() ? -1 : find(state.tickets().get(0));
        return first < 0 || first >= head;
    }

    /** Whether anybody waits; what was not read is taken for alive. */
    boolean isAlive(long nowMicros) {
        return unread() > 0 || tickets.stream().anyMatch(ticket -> ticket.presentUntilMicros() > nowMicros);
    }

    /** How many tickets there are after the machine has run. */
    int size(ResourceState state) {
        return state.tickets().size() + unread();
    }

    /** The answer to an acquire after the machine has run. */
    Acquire.Reply told(Acquire.Reply reply, ResourceState state) {
        if (reply instanceof Acquire.Queued queued) {
            return new Acquire.Queued(queued.stamp(), position(state, queued.position()), queued.remainingMicros());
        }
        return reply instanceof Acquire.Held held
                ? new Acquire.Held(held.stamp(), held.holders(), held.remainingMicros(), size(state))
                : reply;
    }

    /** The answer for a ticket after the machine has run. */
    Heartbeat.TicketReply told(Heartbeat.TicketReply reply, ResourceState state) {
        return reply instanceof Heartbeat.Waiting waiting
                ? new Heartbeat.Waiting(position(state, waiting.position()), waiting.remainingMicros())
                : reply;
    }

    /** Where a ticket was when it was read: its number in {@link #tickets}, or -1. */
    int find(String client, long attempt) {
        for (int i = 0; i < tickets.size(); i++) {
            Ticket ticket = tickets.get(i);
            if (ticket.attempt() == attempt && ticket.client().equals(client)) {
                return i;
            }
        }
        return -1;
    }

    /** How many are ahead of a ticket that was read: at most, if it is behind the head and some there have gone. */
    int position(int at) {
        if (whole || at < head) {
            return at;
        }
        long between = places.get(at) - places.get(head - 1) - 1 - (at - head);
        return at + (int) Math.min(unread(), Math.max(0, between));
    }

    private int position(ResourceState state, int index) {
        int at = find(state.tickets().get(index));
        return at < 0 ? index + unread() : index + position(at) - at;
    }

    private int find(Ticket ticket) {
        return find(ticket.client(), ticket.attempt());
    }

    private int unread() {
        return whole ? 0 : Math.max(0, counted - tickets.size());
    }
}
