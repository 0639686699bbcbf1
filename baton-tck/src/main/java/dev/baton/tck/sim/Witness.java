package dev.baton.tck.sim;

import dev.baton.ReleaseOutcome;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.Releasing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Sees what callers believe in, are told and write, and checks it. */
final class Witness {
    private record Believer(Grant grant, String label) {}

    /** A release, and until when its caller keeps the lock. */
    private record Kept(Releasing releasing, long untilNanos) {}

    private final World world;
    private final boolean remembers;
    private final GrantChecker checker;
    private final List<String> findings;
    private final List<String> overlaps = new ArrayList<>();
    private final Map<String, FencedResource> resources = new HashMap<>();
    private final List<Believer> believers = new ArrayList<>();
    private final Map<String, Kept> kept = new HashMap<>();
    private int handOffs;
    private int losses;

    /**
     * Creates a witness.
     *
     * @param remembers whether no server forgets, and the clock of none is set, so that a kept lock is kept
     */
    Witness(World world, boolean remembers, GrantChecker checker, List<String> findings) {
        this.world = world;
        this.remembers = remembers;
        this.checker = checker;
        this.findings = findings;
    }

    /** Checks a caller's new grant: no other caller may believe in the same lock now. */
    void believes(Grant grant, String label) {
        handOffs += grant.token() % 256 == 0 ? 0 : 1;
        checker.believed(grant.name(), grant.token());
        believers.removeIf(other -> other.grant().remainingNanos() == 0);
        checkKept(grant);
        if (!grant.isHeld()) {
            return;
        }
        believers.add(new Believer(grant, label));
        List<Believer> here = believers.stream()
                .filter(each -> each.grant().name().equals(grant.name()))
                .toList();
        long weight = here.stream().mapToLong(each -> each.grant().weight()).sum();
        if (weight > grant.capacity()) {
            overlaps.add(world.nanos() / World.MILLI + " ms: "
                    + here.stream().map(Believer::label).collect(Collectors.joining(" and ")) + " both believe in "
                    + grant.name());
        }
    }

    /** Notes a release, after which no caller may believe before a time. */
    void released(Grant grant, Releasing releasing, long keptUntilNanos) {
        if (keptUntilNanos > world.nanos()) {
            kept.put(grant.name(), new Kept(releasing, keptUntilNanos));
        }
    }

    /** Clients' clocks run up to 0.9 % fast or slow. */
    private void checkKept(Grant grant) {
        Kept last = kept.get(grant.name());
        boolean known = last != null && last.releasing().outcome() == ReleaseOutcome.RELEASED;
        if (remembers && last != null && known && world.nanos() < last.untilNanos() - 3 * World.MILLI) {
            findings.add(grant.name() + " was granted " + (last.untilNanos() - world.nanos()) / World.MILLI
                    + " ms before the time for which its last holder kept it");
        }
    }

    /** Notes that a writer becomes a reader, whose token others may have, too. */
    void reads(Grant grant) {
        checker.reads(grant.name(), grant.token());
    }

    /** Checks that a caller woken with a grant holds it at that moment. */
    void checkHeld(Grant grant) {
        if (!grant.isHeld()) {
            findings.add("a caller was given " + grant.name() + " with token " + grant.token() + ", which is not held");
        }
    }

    /** Checks that a loss was told by now, if the holder outlived it. */
    void checkTold(Grant grant, boolean told) {
        if (!told) {
            findings.add("the loss of " + grant.name() + " with token " + grant.token() + " was not told");
        }
    }

    void stopsBelieving(Grant grant) {
        losses += grant.loss() == null ? 0 : 1;
        believers.removeIf(other -> other.grant() == grant);
    }

    void write(Grant grant) {
        resources
                .computeIfAbsent(grant.name(), name -> new FencedResource(findings))
                .write(grant.token(), checker.orderOf(grant.name(), grant.token()));
    }

    Report report(long seed, Report.Notes notes) {
        int refused =
                resources.values().stream().mapToInt(FencedResource::refused).sum();
        return new Report(seed, checker.count(), handOffs, losses, refused, notes, overlaps, findings);
    }
}
