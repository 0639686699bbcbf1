package dev.baton.chaos.report;

import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.lock.NameKind;
import dev.baton.chaos.lock.NameSet;
import dev.baton.chaos.server.Addresses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * One run. Immutable.
 *
 * @param store a name, or an address
 * @param subject the locks under test
 * @param faults names of faults, or beginnings of names
 * @param length how long faults happen
 * @param seed decides all that is random
 * @param clients the number of JVMs
 * @param threads the number of callers in each
 * @param names of locks
 * @param leaseTime of all locks
 * @param longSections of {@value ClientSettings#SECTIONS} sections, how many take up to some more than a lease
 * @param calm the longest time without a fault, in leases
 * @param directory where the run writes its files
 */
public record Settings(
        String store,
        String subject,
        List<String> faults,
        Duration length,
        long seed,
        int clients,
        int threads,
        NameSet names,
        Duration leaseTime,
        int longSections,
        double calm,
        Path directory) {
    /** The name of Baton's own locks as a subject. */
    public static final String BATON = ClientSettings.BATON;

    /** The longest time without a fault, in leases, if nothing else is asked for. */
    public static final double CALM = 1.5;

    private static final double MILLIS_PER_MINUTE = 60_000;

    /** Returns the command that repeats the run. It names no directory, so the files go to a new one. */
    String command() {
        return "./baton chaos --store %s%s --faults %s --minutes %s --seed %d --clients %d --threads %d --names %d%s --lease %d --long-sections %d --calm %s"
                .formatted(
                        quoted(shownStore()),
                        subject.equals(BATON) ? "" : " --subject " + quoted(subject),
                        quoted(String.join(",", faults)),
                        length.toMillis() / MILLIS_PER_MINUTE,
                        seed,
                        clients,
                        threads,
                        names.size(),
                        names.isLocks() ? "" : " --kinds " + NameKind.words(names.kinds()),
                        leaseTime.toMillis(),
                        longSections,
                        calm);
    }

    /** Returns the store as reports show it. */
    String shownStore() {
        return Addresses.withoutPassword(store);
    }

    /** Puts a word of an address into quotes, for a shell. */
    private static String quoted(String word) {
        return word.matches("[\\w:,./-]+") ? word : '\'' + word.replace("'", "'\\''") + '\'';
    }
}
