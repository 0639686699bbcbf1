package dev.baton.chaos.lock;

import dev.baton.tck.history.Portion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** The kind of a name of a run. */
public enum NameKind {
    /** A lock, which callers ask for alone. */
    LOCK(false),
    /** A read-write lock: mostly read, and written by a quarter, of whom some go on as readers. */
    READ_WRITE(true) {
        @Override
        Portion choose(SplittableRandom random) {
            int dice = random.nextInt(16);
            return dice < 4 ? Portion.writer(dice == 0) : Portion.reader();
        }

        @Override
        Portion whole() {
            return Portion.writer(false);
        }
    },
    /** A semaphore. Those who ask for all permits are alone, as a lock's holder. */
    SEMAPHORE(true) {
        @Override
        Portion choose(SplittableRandom random) {
            return Portion.permits(random.nextInt(1, PERMITS + 1), PERMITS);
        }

        @Override
        Portion whole() {
            return Portion.permits(PERMITS, PERMITS);
        }
    },
    /** A lock, which callers ask for together with others of this kind, and sometimes alone. */
    ALL_OF(false) {
        @Override
        int most() {
            return 3;
        }
    },
    /** A lock whose holders read the note that the one before has left, and write one. */
    NOTE(true),
    /** An election, in which callers stand, and lead for a while. */
    TERM(true),
    /** A job, which callers run for fire times of a fiftieth of a second. */
    JOB(true);

    /** The permits of each semaphore. */
    private static final int PERMITS = 5;

    private final boolean moreThanLocks;

    NameKind(boolean moreThanLocks) {
        this.moreThanLocks = moreThanLocks;
    }

    /** Chooses a portion for a request. */
    Portion choose(SplittableRandom random) {
        return Portion.LOCK;
    }

    /** Returns all that one holder can have: a caller that gets it knows that no other holder is left. */
    Portion whole() {
        return Portion.LOCK;
    }

    /** Returns the largest number of names that a caller asks for together. */
    int most() {
        return 1;
    }

    /** Whether a store that knows only locks has no such names. */
    public boolean needsMoreThanLocks() {
        return moreThanLocks;
    }

    /** Whether a name is of this kind. */
    public boolean has(String name) {
        return wordOf(name).equals(word());
    }

    /** Whether a name is of an election or a job, each of which has a lock with a longer name. */
    public static boolean isDuty(String name) {
        return TERM.has(name) || JOB.has(name);
    }

    /** Returns the word of a name's kind. */
    public static String wordOf(String name) {
        return name.replaceFirst("-\\d+$", "");
    }

    /** Returns its name on a command line, with which the names of locks begin. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns kinds by their words.
     *
     * @throws IllegalArgumentException if there is no such kind, or none is named
     */
    public static List<NameKind> list(List<String> words) {
        List<NameKind> kinds = words.stream().map(NameKind::byWord).distinct().toList();
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("--kinds names no kind");
        }
        return kinds;
    }

    private static NameKind byWord(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no kind of name is called " + word + ": there are " + words(List.of(values()))));
    }

    /** Returns the words of kinds, with commas. */
    public static String words(List<NameKind> kinds) {
        return kinds.stream().map(NameKind::word).collect(Collectors.joining(","));
    }
}
