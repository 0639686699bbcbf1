package dev.baton.chaos.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The faults that can happen to the clients of any store. */
public final class Faults {
    /** The word for no fault. */
    public static final String NONE = "none";

    /** The fault that needs a clock for each client. */
    public static final String CLIENT_CLOCK = ClientFault.CLIENT_CLOCK_STEP.id();

    /** The fault that needs an executor for the callbacks of each client. */
    public static final String CLIENT_EXECUTOR = ClientFault.CLIENT_EXECUTOR_BLOCKED.id();

    private Faults() {}

    /** Returns the faults of clients and, if there is a network between them and the server, those of the wire. */
    public static List<Fault> common(boolean hasNetwork) {
        List<Fault> faults = new ArrayList<>(Arrays.asList(ClientFault.values()));
        if (hasNetwork) {
            faults.addAll(Arrays.asList(WireFault.values()));
        }
        return faults;
    }

    /**
     * Chooses faults.
     *
     * @param faults to choose from
     * @param absent those that are not offered, for the message
     * @param wanted names, or beginnings of names such as {@code client}; {@code all} for all
     * @throws IllegalArgumentException if a word chooses nothing
     */
    public static List<Fault> chosen(List<Fault> faults, List<Absent> absent, List<String> wanted) {
        for (String word : wanted) {
            if (!word.equals(NONE) && faults.stream().noneMatch(fault -> isMeant(fault.id(), word))) {
                throw new IllegalArgumentException(absent.stream()
                        .filter(each -> isMeant(each.id(), word))
                        .findFirst()
                        .map(Absent::toString)
                        .orElseGet(() -> "no fault is called " + word + " here: there are " + ids(faults)));
            }
        }
        return faults.stream().filter(fault -> isMeant(fault.id(), wanted)).toList();
    }

    /** Whether one of these words, as in {@link #chosen}, chooses a fault of this name. */
    public static boolean isMeant(String id, List<String> wanted) {
        return wanted.stream().anyMatch(word -> isMeant(id, word));
    }

    /** Returns the names of faults, for a sentence. */
    public static String ids(List<Fault> faults) {
        return faults.stream().map(Fault::id).collect(Collectors.joining(", "));
    }

    private static boolean isMeant(String id, String word) {
        return word.equals("all") || id.equals(word) || id.startsWith(word + "-");
    }
}
