package dev.baton.redis;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of an address, {@code NAME=VALUE&…}. No message shows a value, because it may be secret. */
final class AddressOptions {
    private final Map<String, String> values = new HashMap<>();

    /**
     * Reads options.
     *
     * @param query the part of the address after the question mark, still encoded; null for none
     * @param known the names that it may contain, as users write them
     * @throws IllegalArgumentException if another one is there, or one is there twice
     */
    AddressOptions(@Nullable String query, List<String> known) {
        if (query == null) {
            return;
        }
        for (String option : query.split("&", -1)) {
            int equals = option.indexOf('=');
            String written = option.substring(0, Math.max(0, equals));
            String name = known.stream()
                    .filter(written::equalsIgnoreCase)
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown option" + shown(written, query)
                            + ": this address takes only " + String.join(", ", known)));
            if (values.put(name, decode(option.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("the option " + name + " is there twice");
            }
        }
    }

    /** Returns nothing if it may be a part of a password that was not encoded. */
    private static String shown(String name, String query) {
        boolean maybeSecret =
                query.contains("@") || query.toLowerCase(Locale.ROOT).contains("password");
        return maybeSecret ? "" : " \"" + name + '"';
    }

    /** Keeps a plus sign, because this is not a form. */
    static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    /** Returns a truth value, or the given one if the option is not there. */
    boolean flag(String name, boolean otherwise) {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + "= takes true or false");
        };
    }

    /** Returns a number that is not negative, 0 if the option is not there. */
    int number(String name) {
        String value = values.getOrDefault(name, "0");
        if (!value.matches("\\d{1,9}")) {
            throw new IllegalArgumentException(name + "= takes a number, 0 or greater");
        }
        return Integer.parseInt(value);
    }

    /** Returns the mode of grace periods. */
    GraceMode grace(String name) {
        return switch (values.getOrDefault(name, "auto").toLowerCase(Locale.ROOT)) {
            case "auto" -> GraceMode.AUTO;
            case "strict" -> GraceMode.STRICT;
            case "off" -> GraceMode.OFF;
            default -> throw new IllegalArgumentException(name + "= takes auto, strict or off");
        };
    }

    @Nullable
    Path path(String name) {
        String file = values.get(name);
        if (file == null) {
            return null;
        }
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + file + "\" is not a path: " + e.getReason(), e);
        }
    }
}
