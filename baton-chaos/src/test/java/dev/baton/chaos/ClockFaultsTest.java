package dev.baton.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chaos.check.Finding;
import dev.baton.chaos.fault.Absent;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.lock.NameSet;
import dev.baton.chaos.report.Report;
import dev.baton.chaos.report.Settings;
import dev.baton.chaos.server.Site;
import dev.baton.chaos.server.Sites;
import dev.baton.servers.clock.ClockShim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clocks are set where that is possible, and a run says where it is not, and why. */
@Tag("serial")
@Timeout(300)
class ClockFaultsTest {
    private static final String NONE = "no-such-compiler";
    private static final String NO_COMPILER =
            "no C compiler: no-such-compiler does not start (Debian: apt-get install gcc libc6-dev)";

    private static final String NOT_OURS =
            "this program does not start its server with a clock that can be set: see --faults-of";

    @TempDir
    private Path directory;

    private final List<String> progress = new ArrayList<>();

    private Settings settings(String store, long seconds, String... faults) {
        return new Settings(
                store,
                Settings.BATON,
                List.of(faults),
                Duration.ofSeconds(seconds),
                1,
                2,
                2,
                NameSet.locks(2),
                Duration.ofMillis(500),
                2,
                Settings.CALM,
                directory.resolve("run"));
    }

    @ParameterizedTest
    @CsvSource({"redis,server", "sqlite,machine"})
    void clockOfAStore_isSetBothWays_andOrderIsKept(String store, String whose) throws Exception {
        Report report = new ChaosRun(settings(store, 12, whose + "-clock"), progress::add).run();

        List<Happened> happened = report.evidence().faults();
        assertThat(happened).allMatch(each -> !each.fault().id().contains("clock") || each.effects() > 0);
        assertThat(happened)
                .extracting(each -> each.fault().id())
                .contains(whose + "-clock-back", whose + "-clock-forward");
        assertThat(report.faults())
                .filteredOn(fault -> fault.id().endsWith("clock-forward"))
                .extracting(Fault::damage)
                .containsExactly(Fault.Damage.ENDS_LEASES);
        assertThat(report.violations())
                .extracting(Finding::promise)
                .doesNotContain("order", "belief", "fence", "counter", "loss");
    }

    @Test
    void withoutACompiler_theRunSaysSo_andDoesTheRest() throws Exception {
        Report report = new ChaosRun(settings("sqlite", 1, "all"), progress::add, null, NONE).run();

        String words = "machine-clock-back is not offered: " + NO_COMPILER;
        assertThat(progress).contains(words);
        assertThat(report.toText()).contains(words);
        assertThat(report.toJson()).contains(words);
        assertThat(report.evidence().faults())
                .isNotEmpty()
                .noneMatch(each -> each.fault().id().contains("clock"));
    }

    @Test
    void withoutACompiler_aRunOfClocksAlone_isRefused() {
        assertThatThrownBy(() ->
                        new ChaosRun(settings("sqlite", 1, "machine-clock-back"), progress::add, null, NONE).run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("machine-clock-back is not offered: " + NO_COMPILER);
    }

    @Test
    void clientsOfAFile_haveOneClock_whichIsTheStores() throws Exception {
        Settings settings = settings("sqlite", 1, "all");
        try (Site site = Sites.of("sqlite", directory)) {
            Offer offer = new Offer(site, settings, ClockShim.COMPILER);
            assertThat(offer.absent())
                    .extracting(Absent::toString)
                    .containsExactly(
                            "client-clock-step is not offered: the clients' machine has one clock, by which the"
                                    + " store ends leases, too: see machine-clock-back, machine-clock-forward");
            assertThat(offer.clock(1)).isNotNull().isSameAs(offer.clock(2));
        }
    }

    @Test
    void runThatSetsNoClock_getsNone() throws Exception {
        try (Site site = Sites.of("sqlite", directory)) {
            Offer offer = new Offer(site, settings("sqlite", 1, "client-pause"), NONE);
            assertThat(offer.absent()).isEmpty();
            assertThat(offer.clock(1)).isNull();
        }
    }

    @Test
    void storeWhoseServerIsNotOurs_saysWhy() throws Exception {
        try (Site site = Sites.of("jdbc:postgresql://127.0.0.1:1/x", directory)) {
            Offer offer = new Offer(site, settings("x", 1, "all"), ClockShim.COMPILER);
            assertThat(offer.absent())
                    .extracting(Absent::toString)
                    .containsExactly(
                            "server-clock-back is not offered: " + NOT_OURS,
                            "server-clock-forward is not offered: " + NOT_OURS);
            assertThat(offer.clock(1)).isNotNull().isNotSameAs(offer.clock(2));
            assertThat(offer.faults()).extracting(Fault::id).contains("client-clock-step");
        }
    }
}
