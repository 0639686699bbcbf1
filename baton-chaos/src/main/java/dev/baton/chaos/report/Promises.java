package dev.baton.chaos.report;

import java.util.Map;
import java.util.Objects;

/** Says for readers what the checkers check. */
final class Promises {
    private static final Map<String, String> WORDS = Map.of(
            "order", "One holder at a time, and each grant has a greater token than the one before.",
            "belief", "No two holders of a lock are sure at the same time that they hold it.",
            "fence", "A register that compares tokens never refuses a holder that still holds the lock.",
            "counter", "A counter that compares nothing loses no update of holders that still held after it.",
            "note", "A holder reads the note that was written last, and no earlier holder changes it afterwards.",
            "once",
                    "A job succeeds once at most for a fire time, and only at its end; fire times grow, and attempts are counted.",
            "loss", "A holder is told of a loss once, and only if it lost the lock.",
            "liveness", "After each fault a caller soon gets a lock; after the last one, every caller does.",
            "residue", "When all clients have gone, the store has no holder and no waiter any more.",
            "exceptions", "Callers get only documented exceptions, and only near a fault.");

    private Promises() {}

    static String words(String promise) {
        return Objects.requireNonNull(WORDS.get(promise), promise);
    }
}
