package dev.baton.memcached;

/**
 * Commands of Memcached's protocol, as text: all of it is ASCII.
 *
 * <p>Values are stored by the old commands: where memory is full, {@code ms} deletes the item that is there, in whatever mode
 * and whosoever it is. Values are read and deleted by the new ones: the old ones tell no version, and delete any.
 */
final class Commands {
    private Commands() {}

    /** Reads a value and its version. */
    static String get(String key) {
        return line("mg " + key + " v c");
    }

    /** Stores a value where there is none; it ends at a second of the server's clock, or with 0 never. */
    static String add(String key, String value, long end) {
        return store("add " + key + " 0 " + end + ' ' + value.length(), value);
    }

    /** Stores a value in place of a version; it ends at a second of the server's clock. */
    static String replace(String key, String value, long end, long cas) {
        return store("cas " + key + " 0 " + end + ' ' + value.length() + ' ' + Long.toUnsignedString(cas), value);
    }

    /** Deletes a version. */
    static String delete(String key, long cas) {
        return line("md " + key + " C" + Long.toUnsignedString(cas));
    }

    /** Is answered, and does nothing. */
    static String nothing() {
        return line("mn");
    }

    private static String store(String command, String value) {
        return line(command) + line(value);
    }

    static String line(String text) {
        return text + "\r\n";
    }
}
