package dev.baton.chaos;

import dev.baton.Baton;
import dev.baton.LockInfo;
import dev.baton.StoreException;
import dev.baton.chaos.check.Checkers;
import dev.baton.chaos.check.Evidence;
import dev.baton.chaos.check.Finding;
import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.client.ClientTeam;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.fault.Nemesis;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HistoryReader;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.lock.NameKind;
import dev.baton.chaos.report.Report;
import dev.baton.chaos.report.Settings;
import dev.baton.chaos.server.Site;
import dev.baton.chaos.server.Sites;
import dev.baton.chaos.zoo.Zoo;
import dev.baton.servers.clock.ClockShim;
import dev.baton.tck.history.Residue;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Runs clients against a store while faults happen, and checks what they wrote down. For one thread. */
public final class ChaosRun {
    /** Most runs need seconds. A store that polls may need more for the last requests of all callers. */
    private static final Duration FINISH = Duration.ofMinutes(2);

    private static final Duration RESIDUE_LIMIT = Duration.ofSeconds(40);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final int MOST_RESIDUE = 100;

    private final Settings settings;
    private final Consumer<String> progress;
    private final @Nullable Predicate<Evidence> enough;
    private final HistoryReader history;
    private final String compiler;
    private final List<Happened> happened = new ArrayList<>();

    /**
     * Prepares a run.
     *
     * @param settings what to run
     * @param progress receives lines that report progress
     */
    public ChaosRun(Settings settings, Consumer<String> progress) {
        this(settings, progress, null, ClockShim.COMPILER);
    }

    /**
     * Prepares a run that may end early.
     *
     * @param settings what to run
     * @param progress receives lines that report progress
     * @param enough is asked now and then whether the evidence is enough; if so, no more faults happen
     */
    public ChaosRun(Settings settings, Consumer<String> progress, @Nullable Predicate<Evidence> enough) {
        this(settings, progress, enough, ClockShim.COMPILER);
    }

    ChaosRun(Settings settings, Consumer<String> progress, @Nullable Predicate<Evidence> enough, String compiler) {
        this.settings = settings;
        this.progress = progress;
        this.enough = enough;
        this.history = new HistoryReader(settings.directory());
        this.compiler = compiler;
    }

    /** Runs. */
    public Report run() throws Exception {
        Files.createDirectories(settings.directory());
        try (Site site = Sites.of(settings.store(), settings.directory())) {
            requireKinds(site);
            Offer offer = new Offer(site, settings, compiler);
            List<Fault> faults = offer.faults();
            String server = site.words();
            progress.accept("store: " + server);
            offer.absent().forEach(each -> progress.accept(each.toString()));
            long began = HostTime.nanos();
            Evidence evidence = gather(site, offer);
            List<Finding> findings = Checkers.run(Checkers.all(), evidence);
            return new Report(
                    settings, server, began, HostTime.since(began), faults, offer.absent(), evidence, findings);
        }
    }

    private void requireKinds(Site site) {
        List<NameKind> others = settings.names().kinds().stream()
                .filter(NameKind::needsMoreThanLocks)
                .toList();
        if (!site.knowsMoreThanLocks() && !others.isEmpty()) {
            throw new IllegalArgumentException(
                    "this store has only locks: run it without --kinds " + NameKind.words(others));
        }
    }

    private Evidence gather(Site site, Offer offer) throws Exception {
        Witness witness = Witness.in(settings.directory(), settings.names().size());
        ClientSettings each = new ClientSettings(
                settings.subject(),
                site.uri(),
                settings.directory(),
                0,
                settings.threads(),
                settings.names(),
                settings.leaseTime(),
                settings.longSections(),
                settings.seed(),
                0,
                grace(site));
        try (ClientTeam team = new ClientTeam(each, settings.clients(), site::network, site::uri, offer::clock)) {
            team.start();
            progress.accept(settings.clients() + " clients of " + settings.threads() + " callers work");
            List<String> unfinished = new ArrayList<>();
            try {
                trouble(team, offer.faults(), witness);
            } catch (IllegalStateException | IOException | SQLException failed) {
                // What the clients saw until then is evidence all the same.
                progress.accept("a fault could not be undone: " + failed.getMessage());
                unfinished.add("a fault, which could not be undone: " + failed.getMessage());
            }
            progress.accept("no more faults: every caller gets through once more");
            HostTime.sleep(untilHealed());
            team.startMissing();
            unfinished.addAll(team.finish(FINISH));
            return evidence(team, unfinished, residue(site));
        }
    }

    /** Returns the grace period of a store's namespace: it must not be shorter than a lease. */
    private Duration grace(Site site) {
        Duration lease = settings.leaseTime();
        return site.grace().compareTo(lease) < 0 ? lease : site.grace();
    }

    /** A lease, or as long as a fault may still go on. */
    private Duration untilHealed() {
        long now = HostTime.nanos();
        long nanos = settings.leaseTime().toNanos();
        for (Happened each : happened) {
            nanos = Math.max(nanos, each.endedNanos() + each.fault().aftermath().toNanos() - now);
        }
        return Duration.ofNanos(nanos);
    }

    private Evidence evidence(ClientTeam team, List<String> unfinished, List<String> residue) throws IOException {
        return new Evidence(history.read(), happened, team.deaths(), settings.leaseTime(), unfinished, residue);
    }

    private void trouble(ClientTeam team, List<Fault> faults, Witness witness) throws Exception {
        long began = HostTime.nanos();
        Stage stage = new Stage(team, settings.leaseTime(), witness);
        if (faults.isEmpty()) {
            while (goesOn(team, began)) {
                HostTime.sleep(LOOK);
            }
            return;
        }
        try (Nemesis nemesis = new Nemesis(faults, stage, settings.calm(), settings.seed(), fault -> {
            happened.add(fault);
            progress.accept("%4d s  %s   %d holds"
                    .formatted(HostTime.since(began).toSeconds(), fault.toLine(), witness.holds()));
        })) {
            while (goesOn(team, began)) {
                nemesis.next();
            }
        }
    }

    private boolean goesOn(ClientTeam team, long began) throws IOException {
        return HostTime.since(began).compareTo(settings.length()) < 0
                && (enough == null || !enough.test(evidence(team, List.of(), List.of())));
    }

    /** Waits until the store knows no lock any more, and returns those that it still knows. */
    private List<String> residue(Site site) throws Exception {
        if (Zoo.hasOwnLocks(settings.subject())) {
            // Every lock of theirs has ended by then.
            HostTime.sleep(settings.leaseTime().multipliedBy(3));
            return Zoo.rest(settings.subject(), site.uri());
        }
        try (Baton baton = patientlyConnected(site)) {
            Residue.await(() -> (long) known(baton).size(), 0, RESIDUE_LIMIT);
            return known(baton);
        } catch (StoreException unreachable) {
            return nothingKnown(unreachable);
        }
    }

    /** A cluster that lost its leader at the end may need longer than one attempt to connect. */
    private Baton patientlyConnected(Site site) throws Exception {
        long began = HostTime.nanos();
        while (true) {
            try {
                return Baton.connect(
                        site.uri(), ClientSettings.options(grace(site)).build());
            } catch (StoreException unreachable) {
                if (HostTime.since(began).compareTo(RESIDUE_LIMIT) > 0) {
                    throw unreachable;
                }
                HostTime.sleep(LOOK);
            }
        }
    }

    private static List<String> known(Baton baton) {
        try {
            return baton.admin().list("", MOST_RESIDUE).stream()
                    .filter(info -> !info.holders().isEmpty() || !info.waiters().isEmpty())
                    .map(LockInfo::name)
                    .toList();
        } catch (StoreException unreachable) {
            return nothingKnown(unreachable);
        }
    }

    private static List<String> nothingKnown(StoreException unreachable) {
        return List.of("everything, for it does not answer: " + unreachable.getMessage());
    }
}
