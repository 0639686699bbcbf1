package dev.baton.etcd;

import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.EntryLabel;
import dev.baton.internal.ordered.EntryNotes;
import dev.baton.internal.ordered.OrderedNames;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keys below a namespace's root: {@code d} the descriptor, {@code c/CLIENT} a client, {@code n/NAME/t-LEASE-SEAT} a
 * ticket, {@code n/NAME/d-LEASE-SEAT} a delay record, {@code n/NAME/w-LEASE-SEAT} the sign of a lowered weight, {@code n/NAME/h-CLIENT-NUMBER}
 * withheld capacity, {@code v/NAME} a note. Names are written as {@link OrderedNames} does.
 *
 * @param root the beginning of all keys
 */
record Keys(String root) {
    static Keys of(String prefix, String namespace) {
        return new Keys(prefix + '/' + OrderedNames.encode(namespace));
    }

    String descriptor() {
        return root + "/d";
    }

    String client(String client) {
        return root + "/c/" + client;
    }

    /** Returns the prefix of the keys of all entries. */
    String names() {
        return root + "/n/";
    }

    /** Returns the prefix of the keys of a name's entries. */
    String line(String name) {
        return names() + OrderedNames.encode(name) + '/';
    }

    /** Returns the key of a name's note. */
    String note(String name) {
        return root + "/v/" + OrderedNames.encode(name);
    }

    /** Returns the key of a seat's ticket, or of its delay record. */
    String seat(Seats.Seat seat, EntryLabel.Sort sort) {
        String letter = sort == EntryLabel.Sort.TICKET ? "t-" : "d-";
        return line(seat.name()) + letter + seat.session() + '-' + seat.number();
    }

    /** Returns the key of an entry that withholds some of a name's capacity. */
    String withheld(String name, EntryLabel label) {
        return line(name) + "h-" + label.client() + '-' + label.attempt();
    }

    /** Returns the key of the delay record beside a ticket. */
    static String delayOf(String ticket) {
        return beside(ticket, 'd');
    }

    /** Returns the key of the sign that a ticket's weight was lowered. */
    static String signOf(String ticket) {
        return beside(ticket, 'w');
    }

    private static String beside(String ticket, char letter) {
        int slash = ticket.lastIndexOf('/');
        return ticket.substring(0, slash + 1) + letter + ticket.substring(slash + 2);
    }

    /** Returns the value of a key: the label, followed by the notes. */
    static ByteSequence value(EntryLabel label, EntryNotes notes) {
        return bytes(label.text() + ' ').concat(ByteSequence.from(notes.encode()));
    }

    /** Returns the entries of a queue, in order; skips keys that are not Baton's. */
    static List<Entry> entries(String name, List<KeyValue> found) {
        List<Entry> entries = new ArrayList<>(found.size());
        for (KeyValue each : found) {
            label(each).ifPresent(label -> entries.add(new Entry(name, label, id(each))));
        }
        return entries;
    }

    /** Returns the beginning of the value of an attempt's ticket, which does not depend on the rest of its label. */
    static String ofAttempt(String client, long attempt) {
        return "t-" + client + '-' + attempt + '-';
    }

    /** Compares that a key has the ticket of a label's attempt, and not the keeper that may have followed. */
    static Cmp isTicket(ByteSequence key, EntryLabel label) {
        return new Cmp(key, Cmp.Op.GREATER, CmpTarget.value(bytes(ofAttempt(label.client(), label.attempt()))));
    }

    /** Returns the end of the range of everything with a beginning. */
    static String afterAll(String beginning) {
        int last = beginning.length() - 1;
        return beginning.substring(0, last) + (char) (beginning.charAt(last) + 1);
    }

    private static Optional<EntryLabel> label(KeyValue found) {
        String value = text(found.getValue());
        int end = value.indexOf(' ');
        return EntryLabel.parse(end < 0 ? value : value.substring(0, end));
    }

    static EntryNotes notes(KeyValue found) {
        String value = text(found.getValue());
        return EntryNotes.decode(value.substring(value.indexOf(' ') + 1));
    }

    /** Returns an identity: keys are reused, so only the create revision makes a key stand for one entry. */
    static String id(KeyValue found) {
        return text(found.getKey()) + '@' + found.getCreateRevision();
    }

    static String key(Entry entry) {
        return entry.id().substring(0, entry.id().lastIndexOf('@'));
    }

    static long created(Entry entry) {
        return Long.parseLong(entry.id().substring(entry.id().lastIndexOf('@') + 1));
    }

    /** Returns the name of an entry's queue. */
    Optional<String> nameOf(KeyValue entry) {
        String key = text(entry.getKey());
        int end = key.lastIndexOf('/');
        return end < names().length() ? Optional.empty() : OrderedNames.decode(key.substring(names().length(), end));
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    static String text(ByteSequence bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
