package dev.baton.chaos;

import dev.baton.chaos.fault.Absent;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Faults;
import dev.baton.chaos.fault.StoreClockFault;
import dev.baton.chaos.report.Settings;
import dev.baton.chaos.server.Catalogue;
import dev.baton.chaos.server.Site;
import dev.baton.servers.clock.ClockShim;
import dev.baton.servers.clock.SettableClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The faults of a run and the clocks that they need, or why there are none. */
final class Offer {
    private final Site site;
    private final Settings settings;
    private final List<Fault> possible = new ArrayList<>();
    private final List<Absent> absent = new ArrayList<>();
    private final Map<Integer, SettableClock> clocks = new HashMap<>();

    /**
     * Finds out what is possible. May start the site's server anew.
     *
     * @param compiler the C compiler
     */
    Offer(Site site, Settings settings, String compiler) throws IOException {
        this.site = site;
        this.settings = settings;
        possible.addAll(Catalogue.faults(site));
        if (!settings.subject().equals(Settings.BATON)) {
            without(Faults.CLIENT_EXECUTOR, "the locks of the zoo run no callbacks but those of losses");
        }
        offerClocks(compiler);
    }

    /** Returns the faults that the settings choose. */
    List<Fault> faults() {
        return Faults.chosen(possible, absent, settings.faults());
    }

    /** Returns the faults that the settings choose and that are not offered here. */
    List<Absent> absent() {
        return absent.stream()
                .filter(each -> Faults.isMeant(each.id(), settings.faults()))
                .toList();
    }

    /** Returns the clock of the clients at a place; null for the machine's. */
    @Nullable
    SettableClock clock(int place) {
        return clocks.get(place);
    }

    private void without(String id, String reason) {
        possible.removeIf(fault -> fault.id().equals(id));
        absent.add(new Absent(id, reason));
    }

    /** A run that sets no clock gets none, so that it measures nothing but the locks. */
    private void offerClocks(String compiler) throws IOException {
        List<String> ids =
                StoreClockFault.ids(site.isByClientsClock() ? StoreClockFault.MACHINE : StoreClockFault.SERVER);
        if (Stream.concat(ids.stream(), Stream.of(Faults.CLIENT_CLOCK))
                .noneMatch(id -> Faults.isMeant(id, settings.faults()))) {
            possible.removeIf(fault -> fault.id().equals(Faults.CLIENT_CLOCK));
            return;
        }
        Path directory = settings.directory().resolve("clocks");
        ClockShim shim;
        try {
            shim = ClockShim.compile(directory, compiler);
        } catch (IOException failed) {
            String reason = String.valueOf(failed.getMessage());
            without(Faults.CLIENT_CLOCK, reason);
            ids.forEach(id -> without(id, reason));
            return;
        }
        if (site.isByClientsClock()) {
            offerClockOfMachine(shim.clock(directory.resolve(StoreClockFault.MACHINE)));
        } else {
            for (int place = 1; place <= settings.clients(); place++) {
                clocks.put(place, shim.clock(directory.resolve("client-" + place)));
            }
            offerClockOfServer(ids, shim.clock(directory.resolve(StoreClockFault.SERVER)));
        }
    }

    private void offerClockOfMachine(SettableClock clock) {
        without(
                Faults.CLIENT_CLOCK,
                "the clients' machine has one clock, by which the store ends leases, too: see "
                        + String.join(", ", StoreClockFault.ids(StoreClockFault.MACHINE)));
        for (int place = 1; place <= settings.clients(); place++) {
            clocks.put(place, clock);
        }
        possible.addAll(StoreClockFault.both(StoreClockFault.MACHINE, "all clients", clock));
    }

    private void offerClockOfServer(List<String> ids, SettableClock clock) {
        if (ids.stream().noneMatch(id -> Faults.isMeant(id, settings.faults()))) {
            return;
        }
        Optional<String> reason = site.follow(clock);
        if (reason.isPresent()) {
            ids.forEach(id -> without(id, reason.get()));
        } else {
            possible.addAll(StoreClockFault.both(StoreClockFault.SERVER, "the server", clock));
        }
    }
}
