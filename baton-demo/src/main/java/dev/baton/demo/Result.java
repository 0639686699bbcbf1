package dev.baton.demo;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a round.
 *
 * @param round the round
 * @param stock how many units there were
 * @param books the state of the database
 * @param stuck whether the sale stopped before everything was sold
 * @param handOffsPerSecond sales a second in the waves without trouble
 * @param waits how long buyers waited for the lock
 * @param holderKnew whether the stopped holder knew, when it resumed, that it had lost the lock
 * @param seconds how long the round took
 */
public record Result(
        Round round,
        int stock,
        Shop.Books books,
        boolean stuck,
        double handOffsPerSecond,
        Waits waits,
        boolean holderKnew,
        double seconds) {

    public boolean asAnnounced() {
        return switch (round.expected()) {
            case OVERSOLD -> books.oversold() > 0;
            case STUCK -> stuck;
            case SAFE -> !brokePromise() && books.refused() > 0;
        };
    }

    /** Returns whether Baton broke a promise. */
    public boolean brokePromise() {
        return isBaton() && (books.oversold() > 0 || stuck || books.units() < stock || !books.tokensInOrder());
    }

    public boolean isBaton() {
        return round.expected() == Round.Expected.SAFE;
    }

    String fault() {
        if (books.oversold() > 0) {
            return "oversold";
        }
        return stuck ? "stuck" : "none";
    }

    /** Returns one line of explanation for users. */
    public String why() {
        if (asAnnounced()) {
            return round.why();
        }
        if (brokePromise()) {
            return "Baton broke its promise: please report this";
        }
        return isBaton()
                ? "nobody got past the stopped holder: nothing to refuse"
                : "did not fail as announced this time";
    }

    public Map<String, Object> toJson() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("lock", round.name());
        row.put("title", round.title());
        row.put("sold", books.orders());
        row.put("oversold", books.oversold());
        row.put("stuck", stuck);
        row.put("staleRefused", books.refused());
        row.put("handOffsPerSecond", Math.round(handOffsPerSecond));
        row.put("waitP50Millis", waits.p50Millis());
        row.put("waitP99Millis", waits.p99Millis());
        // Null means that this lock has no tokens.
        row.put("tokensInOrder", isBaton() ? books.tokensInOrder() : null);
        row.put("stoppedHolderKnew", isBaton() ? holderKnew : null);
        row.put("expected", round.expected().name().toLowerCase(Locale.ROOT));
        row.put("fault", fault());
        row.put("asAnnounced", asAnnounced());
        row.put("why", why());
        row.put("seconds", Math.round(seconds * 10) / 10.0);
        return row;
    }
}
