package dev.baton.chaos.check;

import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Noted;
import dev.baton.chaos.lock.NameKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * In the order of tokens, each holder reads the last note that is confirmed, or one of those after it whose writers do not
 * know what became of them. What a holder has read is the note from then on: a write of an earlier holder that arrives later
 * changes nothing.
 */
final class NoteChecker implements Checker {
    @Override
    public String promise() {
        return "note";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        Map<HoldKey, Noted> notes = new HashMap<>();
        evidence.history().notes().forEach(each -> notes.put(new HoldKey(each.client(), each.hold()), each));
        List<Finding> findings = new ArrayList<>();
        evidence.history().byName().forEach((name, holds) -> {
            if (NameKind.NOTE.has(name)) {
                check(evidence, holds, notes, findings);
            }
        });
        return findings;
    }

    private void check(Evidence evidence, List<Hold> holds, Map<HoldKey, Noted> notes, List<Finding> findings) {
        List<Hold> byToken = new ArrayList<>(holds);
        byToken.sort(Comparator.comparingLong(Hold::token));
        // Before the first answer nothing is known: the store may have been used before.
        Set<String> possible = null;
        Hold sure = null;
        for (Hold hold : byToken) {
            Noted noted = notes.get(HoldKey.of(hold));
            if (noted != null && noted.read().isKnown()) {
                if (possible != null && !possible.contains(noted.read().note())) {
                    findings.add(finding(evidence, hold, noted.read(), sure, possible));
                }
                possible = Set.of(noted.read().note());
                sure = hold;
            }
            possible = after(hold, noted, possible);
            if (noted != null && noted.write() == Noted.Write.WRITTEN) {
                sure = hold;
            }
        }
    }

    /** Returns what the note may be after a hold; null if anything. */
    private static @Nullable Set<String> after(Hold hold, @Nullable Noted noted, @Nullable Set<String> before) {
        String own = Long.toString(hold.token());
        Noted.Write write = noted == null ? Noted.Write.UNSURE : noted.write();
        if (write == Noted.Write.NONE || (write == Noted.Write.UNSURE && before == null)) {
            return before;
        }
        Set<String> after = write == Noted.Write.WRITTEN ? new HashSet<>() : new HashSet<>(before);
        after.add(own);
        return after;
    }

    private Finding finding(Evidence evidence, Hold hold, Noted.Read read, @Nullable Hold sure, Set<String> possible) {
        Hold since = sure == null ? hold : sure;
        String expected = possible.stream()
                .sorted()
                .map(NoteChecker::words)
                .reduce((a, b) -> a + ", or " + b)
                .orElseThrow();
        return evidence.finding(
                promise(),
                hold.name(),
                since.askedNanos(),
                Math.max(hold.firstNanos(), hold.lastNanos()),
                hold + " read " + words(read.note()) + ", but after " + since + " it should be " + expected,
                since,
                hold);
    }

    private static String words(String note) {
        return note.isEmpty() ? "no note" : "the note of token " + note;
    }
}
