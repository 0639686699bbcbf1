package dev.baton.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What can be told of a store's address by its looks. */
final class Addresses {
    private static final List<String> SCHEMES = List.of(
            "redis:",
            "rediss:",
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

    /** One letter too many or too few, another one, or two that changed places. */
    private static final int SLIPS = 2;

    /** Between the slashes and the last at sign: it may stand before any of several hosts. */
    private static final Pattern OF_A_USER = Pattern.compile("//[^/]*:[^@]+@");

    /** As drivers name it, with what stands before and after: sslpassword, PWD, trustStorePassword, password1. */
    private static final Pattern AMONG_THE_OPTIONS = Pattern.compile(
            "[?&;(,][^=?&;(,]*(password|passwd|pwd|passphrase|secret)[^=?&;(,]*=[^&;),]", Pattern.CASE_INSENSITIVE);

    private Addresses() {}

    /** Whether there is a password in it, as far as can be told. */
    static boolean hasPassword(String address) {
        return OF_A_USER.matcher(address).find()
                || AMONG_THE_OPTIONS.matcher(address).find();
    }

    /** How an address would begin, if this one's beginning is none, but nearly one. */
    static Optional<String> similar(String address) {
        String lower = address.toLowerCase(Locale.ROOT);
        if (SCHEMES.stream().anyMatch(address::startsWith)) {
            return Optional.empty();
        }
        return SCHEMES.stream()
                .filter(scheme -> distance(beginning(lower, scheme), scheme) <= SLIPS)
                .min(Comparator.comparingInt(scheme -> distance(beginning(lower, scheme), scheme)));
    }

    /** Up to as many colons as the scheme has. */
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

    /** How many letters have to be put in, taken out or replaced. */
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
