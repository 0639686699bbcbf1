package dev.baton.chaos.zoo;

import dev.baton.chaos.lock.NameKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A lock with one defect.
 *
 * @param name its name
 * @param defect in a sentence
 * @param source where it is known from
 * @param fault the fault that brings the defect out; {@link #CONTENTION} if several callers suffice
 * @param promises which checkers catch it; the first is the one that is meant, the others follow from it
 * @param design its steps
 * @param repaired the steps of its twin without the defect
 */
public record Animal(
        String name,
        String defect,
        String source,
        String fault,
        List<String> promises,
        Design design,
        Design repaired) {
    /** No fault, but a second caller. */
    public static final String CONTENTION = "contention";

    /** No fault, but a reader that asks to write. */
    public static final String UPGRADE = "upgrade";

    static final String REPAIRED = "-repaired";

    static final String BELIEF = "belief";
    static final String COUNTER = "counter";
    static final String ORDER = "order";
    static final String FENCE = "fence";
    static final String LIVENESS = "liveness";
    static final String RESIDUE = "residue";
    static final String LOSS = "loss";
    static final String NOTE = "note";
    static final String ONCE = "once";
    static final String EXCEPTIONS = "exceptions";

    static final String PAUSE = "client-pause";
    static final String KILL = "client-kill";
    static final String LATE_REQUESTS = "wire-late-requests";
    static final String CUT = "wire-cut";
    static final String SILENCE = "wire-silence";

    /** What two believers do. */
    static final List<String> TWO_HOLDERS = List.of(BELIEF, COUNTER);

    /** What a holder does whose time is over: if there are tokens, its own is older than the next holder's. */
    static final List<String> OLDER_HOLDER = List.of(ORDER, FENCE, BELIEF, COUNTER);

    /** Returns the name of the broken lock as a subject. */
    public String subject() {
        return design.prefix() + name;
    }

    /** Returns the name of the repaired lock as a subject. */
    public String repairedSubject() {
        return subject() + REPAIRED;
    }

    /** Returns the promise that it breaks. */
    public String promise() {
        return promises.get(0);
    }

    /** Returns the store on which it is hunted. */
    public String store() {
        return design.store();
    }

    /** Returns the kinds of names for which callers ask it. */
    public List<NameKind> kinds() {
        return design.kinds();
    }

    /** Returns the lease time with which it is hunted. */
    public Duration lease() {
        return design.lease();
    }

    /** Returns the steps of the lock of a name among animals and their twins. */
    static Optional<Design> design(List<Animal> animals, String subject) {
        return animals.stream()
                .flatMap(each -> Stream.of(
                        Map.entry(each.subject(), each.design()), Map.entry(each.repairedSubject(), each.repaired())))
                .filter(each -> each.getKey().equals(subject))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
