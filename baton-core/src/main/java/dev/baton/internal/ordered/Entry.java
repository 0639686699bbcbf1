package dev.baton.internal.ordered;

/**
 * An entry of a line, as a look at the line shows it.
 *
 * @param name the name that the line is for
 * @param label what it says of itself
 * @param id how the server knows it: a path, a key
 */
public record Entry(String name, EntryLabel label, String id) {
    boolean isTicket() {
        return label.sort() == EntryLabel.Sort.TICKET;
    }
}
