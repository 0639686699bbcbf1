package dev.baton.chaos.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The faults that can happen to the clients of any store. */
public final class Faults {
    /** The word for no fault. */
    public static final String NONE = "none";

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
     * @param wanted names, or beginnings of names such as {@code client}; {@code all} for all
     * @throws IllegalArgumentException if a word chooses nothing
     */
    public static List<Fault> chosen(List<Fault> faults, List<String> wanted) {
        for (String word : wanted) {
            if (!word.equals(NONE) && faults.stream().noneMatch(fault -> isMeant(fault, word))) {
                throw new IllegalArgumentException("no fault is called " + word + " here: there are " + ids(faults));
            }
        }
        return faults.stream()
                .filter(fault -> wanted.stream().anyMatch(word -> isMeant(fault, word)))
                .toList();
    }

    /** Returns the names of faults, for a sentence. */
    public static String ids(List<Fault> faults) {
        return faults.stream().map(Fault::id).collect(Collectors.joining(", "));
    }

    private static boolean isMeant(Fault fault, String word) {
        return word.equals("all") || fault.id().equals(word) || fault.id().startsWith(word + "-");
    }
}
