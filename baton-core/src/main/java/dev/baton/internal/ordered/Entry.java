package dev.baton.internal.ordered;

/**
 * An entry of a queue, as a read of the queue shows it.
 *
 * @param name the name that the queue is for
 * @param label the facts about the entry
 * @param id the server's identifier for it: a path or a key
 */
public record Entry(String name, EntryLabel label, String id) {
    boolean isTicket() {
        return label.sort() == EntryLabel.Sort.TICKET;
    }
}
