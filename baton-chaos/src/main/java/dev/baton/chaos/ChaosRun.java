package dev.baton.chaos;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.LockInfo;
import dev.baton.StoreException;
import dev.baton.chaos.check.Checkers;
import dev.baton.chaos.check.Evidence;
import dev.baton.chaos.check.Finding;
import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.client.ClientTeam;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Faults;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.fault.Nemesis;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HistoryReader;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.report.Report;
import dev.baton.chaos.report.Settings;
import dev.baton.chaos.server.Site;
import dev.baton.chaos.server.Sites;
import dev.baton.chaos.zoo.Zoo;
import dev.baton.servers.net.TcpProxy;
import dev.baton.tck.history.Residue;
import java.io.IOException;
import java.nio.file.Files;
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
    private final List<Happened> happened = new ArrayList<>();

    /**
     * Prepares a run.
     *
     * @param settings what to run
     * @param progress receives lines that report progress
     */
    public ChaosRun(Settings settings, Consumer<String> progress) {
        this(settings, progress, null);
    }

    /**
     * Prepares a run that may end early.
     *
     * @param settings what to run
     * @param progress receives lines that report progress
     * @param enough is asked now and then whether the evidence is enough; if so, no more faults happen
     */
    public ChaosRun(Settings settings, Consumer<String> progress, @Nullable Predicate<Evidence> enough) {
        this.settings = settings;
        this.progress = progress;
        this.enough = enough;
    }

    /** Runs. */
    public Report run() throws Exception {
        Files.createDirectories(settings.directory());
        try (Site site = Sites.open(settings.store(), settings.directory())) {
            List<Fault> possible = new ArrayList<>(Faults.common(site.hasNetwork()));
            possible.addAll(site.faults());
            List<Fault> faults = Faults.chosen(possible, settings.faults());
            progress.accept("store: " + site.words());
            long began = HostTime.nanos();
            Evidence evidence = gather(site, faults);
            List<Finding> findings = Checkers.run(Checkers.all(), evidence);
            return new Report(settings, site.words(), began, HostTime.since(began), faults, evidence, findings);
        }
    }

    private Evidence gather(Site site, List<Fault> faults) throws Exception {
        Witness witness = Witness.in(settings.directory(), settings.names());
        ClientSettings each = new ClientSettings(
                settings.subject(),
                site.uri(),
                settings.directory(),
                0,
                settings.threads(),
                settings.names(),
                settings.leaseTime(),
                settings.seed());
        try (ClientTeam team = new ClientTeam(
                each,
                settings.clients(),
                () -> site.hasNetwork() ? TcpProxy.to("127.0.0.1", site.port()) : null,
                site::uri)) {
            team.start();
            progress.accept(settings.clients() + " clients of " + settings.threads() + " callers work");
            trouble(team, faults, witness);
            progress.accept("no more faults: every caller gets through once more");
            HostTime.sleep(settings.leaseTime());
            team.startMissing();
            List<String> unfinished = team.finish(FINISH);
            return evidence(team, unfinished, residue(site));
        }
    }

    private Evidence evidence(ClientTeam team, List<String> unfinished, List<String> residue) throws IOException {
        return new Evidence(
                HistoryReader.read(settings.directory()),
                happened,
                team.deaths(),
                settings.leaseTime(),
                unfinished,
                residue);
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
        try (Nemesis nemesis = new Nemesis(faults, stage, settings.seed(), fault -> {
            happened.add(fault);
            progress.accept("%4d s  %-20s %-24s %6d effects in %4d ms   %d holds"
                    .formatted(
                            HostTime.since(began).toSeconds(),
                            fault.fault().id(),
                            fault.where(),
                            fault.effects(),
                            fault.length().toMillis(),
                            witness.holds()));
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
        if (!settings.subject().equals(Settings.BATON)) {
            // Every lock of the zoo has ended by then.
            HostTime.sleep(settings.leaseTime().multipliedBy(3));
            return Zoo.rest(site.uri());
        }
        try (Baton baton = Baton.connect(
                site.uri(),
                BatonOptions.builder()
                        .namespace(ClientSettings.NAMESPACE)
                        .grace(ClientSettings.GRACE)
                        .connectTimeout(Duration.ofSeconds(20))
                        .build())) {
            Residue.await(() -> (long) known(baton).size(), 0, RESIDUE_LIMIT);
            return known(baton);
        }
    }

    private static List<String> known(Baton baton) {
        try {
            return baton.admin().list("", MOST_RESIDUE).stream()
                    .filter(info -> !info.holders().isEmpty() || !info.waiters().isEmpty())
                    .map(LockInfo::name)
                    .toList();
        } catch (StoreException unreachable) {
            return List.of("everything, for it does not answer: " + unreachable.getMessage());
        }
    }
}
