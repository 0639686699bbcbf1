package dev.baton.memcached;

/**
 * Commands of Memcached's protocol, as text: all of it is ASCII.
 *
 * <p>The old commands store values: if memory is full, {@code ms} deletes the existing item in any mode, even the item
 * of another client. The new commands read and delete values: the old ones return no version, and delete any version.
 */
final class Commands {
    private Commands() {}

    /** Reads a value and its version. */
    static String get(String key) {
        return line("mg " + key + " v c");
    }

    /** Stores a value if there is none; it ends at a second of the server's clock, or with 0 never. */
    static String add(String key, String value, long end) {
        return store("add " + key + " 0 " + end + ' ' + value.length(), value);
    }

    /** Replaces one version of a value; the new value ends at a second of the server's clock. */
    static String replace(String key, String value, long end, long cas) {
        return store("cas " + key + " 0 " + end + ' ' + value.length() + ' ' + Long.toUnsignedString(cas), value);
    }

    /** Deletes one version. */
    static String delete(String key, long cas) {
        return line("md " + key + " C" + Long.toUnsignedString(cas));
    }

    /** Does nothing, but is answered. */
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
