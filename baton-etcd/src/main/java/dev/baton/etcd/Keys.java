package dev.baton.etcd;

import dev.baton.spi.line.Entry;
import dev.baton.spi.line.EntryLabel;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Keys below a namespace's root: {@code d} the descriptor, {@code c/CLIENT} a client, {@code n/NAME/LABEL} an entry. In
 * names letters, digits, {@code _ , ; = @ + :} and the hyphen stand for themselves, all other bytes of the UTF-8 as
 * {@code %2F}; so any name is possible, and people can read most.
 *
 * @param root what they begin with
 */
record Keys(String root) {
    private static final String PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_,;=@+:";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    static Keys of(String prefix, String namespace) {
        return new Keys(prefix + '/' + encode(namespace));
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
        return names() + encode(name) + '/';
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
        return end < names().length() ? Optional.empty() : decode(key.substring(names().length(), end));
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    static String text(ByteSequence bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String encode(String name) {
        StringBuilder text = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (each > 0 && PLAIN.indexOf(each) >= 0) {
                text.append((char) each);
            } else {
                text.append('%').append(HEX.toHexDigits(each));
            }
        }
        return text.toString();
    }

    /** The name, or empty for a key that is not ours. */
    private static Optional<String> decode(String key) {
        ByteBuffer bytes = ByteBuffer.allocate(key.length());
        for (int i = 0; i < key.length(); i++) {
            char each = key.charAt(i);
            if (PLAIN.indexOf(each) >= 0) {
                bytes.put((byte) each);
            } else if (each == '%' && i + 2 < key.length() && isHex(key, i + 1) && isHex(key, i + 2)) {
                bytes.put((byte) HexFormat.fromHexDigits(key, i + 1, i + 3));
                i += 2;
            } else {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString());
        } catch (CharacterCodingException notText) {
            return Optional.empty();
        }
    }

    private static boolean isHex(String text, int at) {
        return HexFormat.isHexDigit(text.charAt(at));
    }
}
