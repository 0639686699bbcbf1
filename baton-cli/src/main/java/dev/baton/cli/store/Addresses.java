package dev.baton.cli.store;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the text of a store's address reveals, without a connection. */
final class Addresses {
    private static final List<String> SCHEMES = List.of(
            "redis:",
            "rediss:",
            "redis+sentinel:",
            "rediss+sentinel:",
            "redis+cluster:",
            "rediss+cluster:",
            "redis+quorum:",
            "rediss+quorum:",
            "zookeeper:",
            "zookeeper+tls:",
            "etcd:",
            "memcached:",
            "memory:",
            "local",
            "jdbc:sqlite:",
            "jdbc:postgresql:",
            "jdbc:mariadb:",
            "jdbc:mysql:",
            "jdbc:h2:");

    /** One letter missing, added or replaced, or two letters swapped. */
    private static final int SLIPS = 2;

    /** The part between the slashes and the last at sign; a user may stand before any of several hosts. */
    private static final Pattern OF_A_USER = Pattern.compile("//[^/]*:[^@]+@");

    /** The names that drivers use, with any prefix and suffix: sslpassword, PWD, trustStorePassword, password1. */
    private static final Pattern AMONG_THE_OPTIONS = Pattern.compile(
            "[?&;(,][^=?&;(,]*(password|passwd|pwd|passphrase|secret)[^=?&;(,]*=[^&;),]", Pattern.CASE_INSENSITIVE);

    private Addresses() {}

    /** Returns whether the address contains a password, as far as its text shows. */
    static boolean hasPassword(String address) {
        return OF_A_USER.matcher(address).find()
                || AMONG_THE_OPTIONS.matcher(address).find();
    }

    /** Returns the scheme that was probably meant if the address begins with no known scheme, but nearly with one. */
    static Optional<String> similar(String address) {
        String lower = address.toLowerCase(Locale.ROOT);
        if (SCHEMES.stream().anyMatch(address::startsWith)) {
            return Optional.empty();
        }
        return SCHEMES.stream()
                .filter(scheme -> distance(beginning(lower, scheme), scheme) <= SLIPS)
                .min(Comparator.comparingInt(scheme -> distance(beginning(lower, scheme), scheme)));
    }

    /** Returns the beginning of the address, up to as many colons as the scheme has. */
    private static String beginning(String address, String scheme) {
        int end = -1;
        for (long colons = scheme.chars().filter(c -> c == ':').count(); colons > 0; colons--) {
            end = address.indexOf(':', end + 1);
            if (end < 0) {
                return address;
            }
        }
        return end < 0 ? address : address.substring(0, end + 1);
    }

    /** Returns how many letters have to be inserted, deleted or replaced. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
