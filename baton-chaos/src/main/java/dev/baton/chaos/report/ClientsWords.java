package dev.baton.chaos.report;

import dev.baton.chaos.history.History;
import dev.baton.chaos.runbook.Runbook;
import dev.baton.chaos.runbook.Runbook.Entry;
import java.util.List;
import java.util.Optional;

/**
 * Something that clients told operators, and where the runbook explains it.
 *
 * @param text the event with its reason, or the line of the log
 * @param count how often
 * @param entry its row in the runbook; empty if there is none, which is a finding
 */
record ClientsWords(String text, long count, Optional<Entry> entry) {
    static final String MISSING = "not in the runbook";

    static List<ClientsWords> of(History history, Runbook runbook) {
        return history.told().entrySet().stream()
                .map(each -> new ClientsWords(each.getKey(), each.getValue(), entry(each.getKey(), runbook)))
                .toList();
    }

    /** An event stands in the runbook without its reason. */
    private static Optional<Entry> entry(String text, Runbook runbook) {
        return runbook.find(text)
                .or(() -> text.matches("[A-Z_]+ [A-Z_]+") ? runbook.find(text.split(" ", 2)[0]) : Optional.empty());
    }
}
