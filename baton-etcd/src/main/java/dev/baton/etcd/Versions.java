package dev.baton.etcd;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lists the versions of etcd whose defects would harm a lock. */
final class Versions {
    private static final Pattern VERSION = Pattern.compile("([0-9]{1,4})\\.([0-9]{1,4})\\.([0-9]{1,4})(?:[^0-9].*)?");
    private static final int MAJOR = 3;
    private static final int OLDEST = 4;
    private static final int NEWEST = 6;

    /** A defect, and the patches of 3.4, 3.5 and 3.6 that fixed it. */
    private record Mistake(String words, List<Integer> gone) {}

    private static final List<Mistake> MISTAKES = List.of(
            new Mistake(
                    "its revision, and so a token, may go back after a crash during compaction", List.of(32, 14, 0)),
            new Mistake("a leader that was deposed may revoke leases that are alive", List.of(31, 13, 0)),
            new Mistake("it may say that a lease is kept alive that has been revoked", List.of(38, 23, 5)),
            new Mistake(
                    "after a pause of the process it may answer reads with what was true before", List.of(42, 28, 9)));

    private Versions() {}

    /** Returns why a version should not keep locks; empty if it may. */
    static Optional<String> warning(String version, String target) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return Optional.empty();
        }
        int major = Integer.parseInt(parts.group(1));
        int minor = Integer.parseInt(parts.group(2));
        int patch = Integer.parseInt(parts.group(3));
        if (major > MAJOR || (major == MAJOR && minor > NEWEST)) {
            return Optional.empty();
        }
        boolean older = major < MAJOR || minor < OLDEST;
        StringBuilder mistakes = new StringBuilder();
        for (Mistake each : MISTAKES) {
            if (older || patch < each.gone.get(minor - OLDEST)) {
                mistakes.append(mistakes.isEmpty() ? "" : "; ").append(each.words);
            }
        }
        return mistakes.isEmpty()
                ? Optional.empty()
                : Optional.of("etcd at " + target + " is version " + version + ": " + mistakes
                        + ". Update it to 3.4.42, 3.5.28, 3.6.9 or later");
    }
}
