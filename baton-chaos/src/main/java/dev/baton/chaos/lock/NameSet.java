package dev.baton.chaos.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The names of a run, which are divided between kinds.
 *
 * @param size how many there are
 * @param kinds of names
 */
public record NameSet(int size, List<NameKind> kinds) {
    /** Refuses to leave a kind without a name, or callers without names to ask for together. */
    public NameSet {
        int least = kinds.stream().mapToInt(NameKind::most).max().orElse(1) > 1 ? 2 : 1;
        if (size < least * kinds.size()) {
            throw new IllegalArgumentException("--names must be at least " + least * kinds.size() + " for "
                    + NameKind.words(kinds) + ": " + least + " for each kind");
        }
    }

    /** Returns names of locks. */
    public static NameSet locks(int size) {
        return new NameSet(size, List.of(NameKind.LOCK));
    }

    /** Whether all are locks, which callers ask for alone. */
    public boolean isLocks() {
        return kinds.equals(List.of(NameKind.LOCK));
    }

    /** Returns a name. */
    public String name(int number) {
        return kinds.get(number % kinds.size()).word() + '-' + number;
    }

    /** Returns the number of a name. */
    public static int number(String name) {
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    }

    /** Whether a job's runs are abandoned when their runners die: half of the jobs', so that both policies are seen. */
    public static boolean abandons(String name) {
        return Integer.bitCount(number(name)) % 2 == 1;
    }

    /** Makes a request: half of them are for the first name of a kind, so that it is contended. */
    public Wanted choose(SplittableRandom random) {
        int kind = kinds.size() == 1 ? 0 : random.nextInt(kinds.size());
        List<String> own = IntStream.iterate(kind, number -> number < size, number -> number + kinds.size())
                .mapToObj(this::name)
                .toList();
        int first = random.nextBoolean() ? 0 : random.nextInt(own.size());
        NameKind chosen = kinds.get(kind);
        int together = Math.min(own.size(), chosen.most() == 1 ? 1 : random.nextInt(1, chosen.most() + 1));
        return new Wanted(some(own, first, together, random), chosen.choose(random));
    }

    /** In any order. */
    private static List<String> some(List<String> names, int first, int count, SplittableRandom random) {
        List<String> some = new ArrayList<>(List.of(names.get(first)));
        while (some.size() < count) {
            String next = names.get(random.nextInt(names.size()));
            if (!some.contains(next)) {
                some.add(random.nextInt(some.size() + 1), next);
            }
        }
        return some;
    }

    /** Returns all of one name. */
    public Wanted whole(int number) {
        return new Wanted(
                List.of(name(number)), kinds.get(number % kinds.size()).whole());
    }
}
