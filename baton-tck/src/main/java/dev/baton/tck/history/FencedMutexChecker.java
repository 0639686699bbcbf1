package dev.baton.tck.history;

import dev.baton.spi.Protocol;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a history of holds fits a mutex, or a read-write lock, whose tokens grow. It does if every grant can be
 * given a moment between asking and having, and every end a moment between letting go and gone, so that no two holds overlap
 * but those of readers with one token, and tokens follow the order of grants. Of permits it checks that no two holds have
 * the same token: {@link BeliefChecker} finds those that are too many.
 *
 * <p>Tokens determine the order, so no search is needed. In order of tokens, every grant and every end gets its
 * earliest moment; a moment that comes too late is a violation. Sorting costs O(n log n).
 */
public final class FencedMutexChecker {
    private final List<Violation> findings = new ArrayList<>();
    /** When all were over that have older tokens than the present group has, and the last of them. */
    private long freeNanos = Long.MIN_VALUE;

    private @Nullable HoldRecord before;
    /** The same of the present group: readers under one token of the store, or one hold. */
    private long endNanos = Long.MIN_VALUE;

    private @Nullable HoldRecord last;

    private FencedMutexChecker() {}

    /**
     * Checks a history.
     *
     * @param history holds of one name, in any order
     * @return what {@link #find} finds, in words
     */
    public static List<String> check(List<HoldRecord> history) {
        return find(history).stream().map(Violation::message).toList();
    }

    /**
     * Finds holds that do not fit.
     *
     * @param history holds of one name, in any order
     * @return the violations; empty if there are none
     */
    public static List<Violation> find(List<HoldRecord> history) {
        List<HoldRecord> byToken = new ArrayList<>(history);
        // A writer comes before the readers that have its token.
        byToken.sort(Comparator.comparingLong(HoldRecord::token)
                .thenComparing(hold -> hold.portion().isReader()));
        FencedMutexChecker checker = new FencedMutexChecker();
        byToken.forEach(checker::next);
        return checker.findings;
    }

    private void next(HoldRecord hold) {
        HoldRecord present = last;
        if (present != null && !isOneGroup(present, hold)) {
            if (present.token() == hold.token() && !isOfFormerWriter(present, hold)) {
                findings.add(new Violation(present, hold, "has the token of"));
            }
            freeNanos = endNanos;
            before = present;
            endNanos = Long.MIN_VALUE;
        }
        long end = Math.max(hold.letGoNanos(), granted(hold));
        if (end >= endNanos) {
            endNanos = end;
            last = hold;
        }
    }

    private long granted(HoldRecord hold) {
        long granted = Math.max(hold.askedNanos(), freeNanos);
        if (before == null || granted <= hold.gotNanos() || !hold.portion().isOrdered()) {
            return granted;
        }
        findings.add(new Violation(before, hold, "was held before the end of"));
        // Otherwise every hold until that end would be found as well.
        return hold.gotNanos();
    }

    private static boolean isOneGroup(HoldRecord one, HoldRecord other) {
        boolean read = one.portion().isReader() && other.portion().isReader();
        boolean joins = isFormerWriter(one) || isFormerWriter(other);
        return read && (one.token() == other.token() || (joins && storeToken(one) == storeToken(other)));
    }

    private static boolean isOfFormerWriter(HoldRecord writer, HoldRecord reader) {
        return writer.portion().side() == Portion.Side.DOWNGRADED && isFormerWriter(reader);
    }

    private static boolean isFormerWriter(HoldRecord hold) {
        return hold.portion().side() == Portion.Side.FORMER_WRITER;
    }

    private static long storeToken(HoldRecord hold) {
        return hold.token() / Protocol.LOCAL_TOKENS;
    }
}
