package dev.baton.demo;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How a round ended.
 *
 * @param round which
 * @param stock how many units there were
 * @param books what the database says
 * @param stuck whether the sale stopped before all was sold
 * @param handOffsPerSecond sales a second in the waves without trouble
 * @param waits how long buyers waited for the lock
 * @param holderKnew whether the stopped holder knew on waking that it no longer had the lock
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

    /** Whether Baton did what it must never do. */
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

    /** One line for people. */
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
        // Null: this lock has no tokens.
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
