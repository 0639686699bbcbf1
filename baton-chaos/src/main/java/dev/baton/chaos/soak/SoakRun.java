package dev.baton.chaos.soak;

import dev.baton.Baton;
import dev.baton.chaos.client.ClientJvm;
import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.client.ClientTeam;
import dev.baton.chaos.client.Vitals;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Faults;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.fault.Nemesis;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.lock.NameSet;
import dev.baton.chaos.report.Settings;
import dev.baton.chaos.server.Catalogue;
import dev.baton.chaos.server.Site;
import dev.baton.chaos.server.Sites;
import dev.baton.chaos.soak.Gauge.Reading;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Clients work at a rate for a long time, with a fault now and then, while all that could grow is measured. For one thread. */
public final class SoakRun {
    /** Enough for all counters, of which several names share one. */
    private static final int FIRST = 2_000;

    private static final Duration FINISH = Duration.ofMinutes(2);
    private static final Duration ANSWER = Duration.ofSeconds(8);
    private static final double NANOS_PER_HOUR = 3.6e12;

    private final SoakSettings settings;
    private final Consumer<String> progress;
    private final List<Happened> happened = new ArrayList<>();
    private final Map<Integer, Vitals> last = new HashMap<>();
    private final Series series;

    /**
     * Prepares a run.
     *
     * @param settings what to run
     * @param progress receives lines that report progress
     */
    public SoakRun(SoakSettings settings, Consumer<String> progress) {
        this.settings = settings;
        this.progress = progress;
        this.series = new Series(settings.warmUp().toNanos() / NANOS_PER_HOUR);
    }

    /** Runs. */
    public SoakReport run() throws Exception {
        Files.createDirectories(settings.directory());
        try (Site site = Sites.of(settings.store(), settings.directory())) {
            List<Fault> faults = Faults.chosen(possible(site), List.of(), settings.faults());
            Gauge gauge = Gauges.of(site.uri());
            useOnce(site);
            Reading before = gauge.read();
            String server = site.words();
            progress.accept("store: " + server + "; before: " + before.values());
            long began = HostTime.nanos();
            long holds = work(site, gauge, faults);
            Duration worked = HostTime.since(began);
            Reading after = Leftovers.awaited(gauge, before);
            return new SoakReport(
                    settings, server, worked, holds, List.copyOf(last.values()), happened, series, before, after);
        }
    }

    /** A fault of a clock would need a client that was started with one. */
    private static List<Fault> possible(Site site) {
        return Catalogue.faults(site).stream()
                .filter(fault -> !fault.id().equals(Faults.CLIENT_CLOCK))
                .toList();
    }

    /** Makes what is made once and stays: tables, and the counters from which names take their tokens. */
    static void useOnce(Site site) throws InterruptedException {
        try (Baton baton = Baton.connect(site.uri(), ClientSettings.options().build())) {
            for (int i = 0; i < FIRST; i++) {
                baton.lock("first-" + i).acquire().close();
            }
        }
    }

    private long work(Site site, Gauge gauge, List<Fault> faults) throws Exception {
        Witness witness = Witness.in(settings.directory(), 1);
        ClientSettings each = new ClientSettings(
                ClientSettings.BATON,
                site.uri(),
                settings.directory(),
                0,
                settings.threads(),
                NameSet.locks(SoakSettings.NAMES),
                settings.leaseTime(),
                ClientSettings.longSections(ClientSettings.BATON),
                settings.seed(),
                settings.rate() / settings.clients(),
                ClientSettings.GRACE);
        try (ClientTeam team = new ClientTeam(each, settings.clients(), site::network, site::uri, place -> null)) {
            team.start();
            watch(team, gauge, faults, witness);
            team.startMissing();
            List<String> unfinished = team.finish(FINISH);
            if (!unfinished.isEmpty()) {
                throw new IllegalStateException("did not finish: " + unfinished);
            }
            return witness.holds();
        }
    }

    /** Measures at each step, and lets a fault happen after some of them, so that it is over at the next one. */
    private void watch(ClientTeam team, Gauge gauge, List<Fault> faults, Witness witness) throws Exception {
        long began = HostTime.nanos();
        long steps = settings.length().dividedBy(SoakSettings.SAMPLE_EVERY);
        long each = Math.max(1, settings.faultEvery().dividedBy(SoakSettings.SAMPLE_EVERY));
        Stage stage = new Stage(team, settings.leaseTime(), witness);
        try (Nemesis nemesis = new Nemesis(faults, stage, Settings.CALM, settings.seed(), this::tell)) {
            for (long step = 1; step <= steps; step++) {
                HostTime.sleep(SoakSettings.SAMPLE_EVERY.multipliedBy(step).minus(HostTime.since(began)));
                measure(step, HostTime.since(began), team, gauge, witness);
                if (step % each == 0 && step < steps && !faults.isEmpty()) {
                    nemesis.next();
                }
            }
        }
    }

    private void tell(Happened fault) {
        happened.add(fault);
        progress.accept("       " + fault.toLine());
    }

    private void measure(long step, Duration since, ClientTeam team, Gauge gauge, Witness witness)
            throws InterruptedException {
        double hours = since.toNanos() / NANOS_PER_HOUR;
        StringBuilder line = new StringBuilder();
        for (ClientJvm member : team.members()) {
            member.sample(step, ANSWER).ifPresent(vitals -> {
                series.add("client " + member.client(), hours, vitals);
                last.put(member.client(), vitals);
                line.append("  %d: %d KiB, %d threads, %d fds"
                        .formatted(
                                member.client(), vitals.heapBytes() / 1_024, vitals.threads(), vitals.descriptors()));
            });
        }
        Reading reading = gauge.read();
        series.add(hours, reading);
        progress.accept("%5d s %d holds%s  %s".formatted(since.toSeconds(), witness.holds(), line, reading.values()));
    }
}
