package dev.baton.etcd;

import dev.baton.spi.line.Entry;
import dev.baton.spi.line.EntryLabel;
import dev.baton.spi.line.LineNames;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keys below a namespace's root: {@code d} the descriptor, {@code c/CLIENT} a client, {@code n/NAME/LABEL} an entry. Names
 * are written as {@link LineNames} does.
 *
 * @param root what they begin with
 */
record Keys(String root) {
    static Keys of(String prefix, String namespace) {
        return new Keys(prefix + '/' + LineNames.encode(namespace));
    }

    String descriptor() {
        return root + "/d";
    }

    String client(String client) {
        return root + "/c/" + client;
    }

    /** What the keys of all entries begin with. */
    String names() {
        return root + "/n/";
    }

    /** What the keys of a name's entries begin with. */
    String line(String name) {
        return names() + LineNames.encode(name) + '/';
    }

    String entry(String name, EntryLabel label) {
        return line(name) + label.text();
    }

    /** What the key of an attempt's entry begins with, whatever else its label says. */
    String attempt(String name, EntryLabel.Sort sort, String client, long attempt) {
        return line(name) + (sort == EntryLabel.Sort.TICKET ? "t-" : "d-") + client + '-' + attempt + '-';
    }

    /** The entries of a line, in order. */
    List<Entry> entries(String name, List<KeyValue> found) {
        int label = line(name).length();
        List<Entry> entries = new ArrayList<>(found.size());
        for (KeyValue each : found) {
            String key = text(each.getKey());
            EntryLabel.parse(key.substring(Math.min(label, key.length())))
                    .ifPresent(parsed -> entries.add(new Entry(name, parsed, key)));
        }
        return entries;
    }

    /** The name that an entry is of. */
    Optional<String> nameOf(KeyValue entry) {
        String key = text(entry.getKey());
        int end = key.lastIndexOf('/');
        return end < names().length() ? Optional.empty() : LineNames.decode(key.substring(names().length(), end));
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    static String text(ByteSequence bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
