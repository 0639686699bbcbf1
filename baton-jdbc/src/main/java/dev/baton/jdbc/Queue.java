package dev.baton.jdbc;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Ticket;
import java.util.List;

/**
 * The part of a name's queue that was read: its head, and the client's own tickets anywhere in the queue. The state
 * machine runs on these tickets; the methods here correct its counts and positions for the tickets that were not read.
 *
 * <p>The head is enough as long as one of its tickets remains afterwards: the machine then never looked behind it.
 *
 * @param tickets the head, then the client's own tickets
 * @param places row numbers of the ticket table, in the order of {@code tickets}
 * @param head how many of them are the head
 * @param whole whether there are no others
 * @param counted how many tickets the row of the name counts
 */
record Queue(List<Ticket> tickets, List<Long> places, int head, boolean whole, int counted) {
    static final Queue EMPTY = new Queue(List.of(), List.of(), 0, true, 0);

    /** Returns whether the machine may have decided on tickets that were not read: the whole head is gone. */
    boolean isExhaustedBy(ResourceState state) {
        if (whole) {
            return false;
        }
        int first = state.tickets().isEmpty() ? -1 : find(state.tickets().get(0));
        return first < 0 || first >= head;
    }

    /** Returns whether a client waits; unread tickets count as alive. */
    boolean isAlive(long nowMicros) {
        return unread() > 0 || tickets.stream().anyMatch(ticket -> ticket.presentUntilMicros() > nowMicros);
    }

    /** Returns the number of tickets after the machine has run. */
    int size(ResourceState state) {
        return state.tickets().size() + unread();
    }

    /** Returns the answer to an acquire after the machine has run. */
    Acquire.Reply told(Acquire.Reply reply, ResourceState state) {
        if (reply instanceof Acquire.Queued queued) {
            return new Acquire.Queued(queued.stamp(), position(state, queued.position()), queued.remainingMicros());
        }
        return reply instanceof Acquire.Held held
                ? new Acquire.Held(held.stamp(), held.holders(), held.remainingMicros(), size(state))
                : reply;
    }

    /** Returns the answer for a ticket after the machine has run. */
    Heartbeat.TicketReply told(Heartbeat.TicketReply reply, ResourceState state) {
        return reply instanceof Heartbeat.Waiting waiting
                ? new Heartbeat.Waiting(position(state, waiting.position()), waiting.remainingMicros())
                : reply;
    }

    /** Returns the index of a ticket in {@link #tickets} as it was read, or -1. */
    int find(String client, long attempt) {
        for (int i = 0; i < tickets.size(); i++) {
            Ticket ticket = tickets.get(i);
            if (ticket.attempt() == attempt && ticket.client().equals(client)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether a ticket has the description that a heartbeat gives it; also if it was not read. */
    boolean isDescribed(String client, Heartbeat.Ticket named) {
        int at = find(client, named.attempt());
        return at < 0
                || named.describes(tickets.get(at).description())
                        .equals(tickets.get(at).description());
    }

    /** Returns how many tickets are ahead: at most, if the ticket is behind the head and some between have gone. */
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
