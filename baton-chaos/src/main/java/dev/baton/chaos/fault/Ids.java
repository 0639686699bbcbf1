package dev.baton.chaos.fault;

import java.util.Locale;

/** The names of faults on the command line. */
final class Ids {
    private Ids() {}

    static String of(Enum<?> fault) {
        return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
