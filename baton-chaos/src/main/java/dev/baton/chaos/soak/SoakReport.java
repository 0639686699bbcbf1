package dev.baton.chaos.soak;

import dev.baton.chaos.client.Vitals;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.soak.Gauge.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The results of a long run.
 *
 * @param settings what was run
 * @param store what the server says of itself
 * @param length how long the clients worked, with their beginning and end
 * @param holds how many locks were taken
 * @param clients the last measurement of each client JVM
 * @param faults that happened
 * @param series all measurements
 * @param before the server before the first client
 * @param after the server after the last client
 */
public record SoakReport(
        SoakSettings settings,
        String store,
        Duration length,
        long holds,
        List<Vitals> clients,
        List<Happened> faults,
        Series series,
        Reading before,
        Reading after) {
    /** Returns what is wrong: what grows, what was left over, and holders that the register refused. */
    public List<String> defects() {
        List<String> defects = new ArrayList<>(Growth.defects(series, before, after));
        long refused = sum(Vitals::refused);
        if (refused > 0) {
            defects.add("the register refused " + refused + " holders that still held the lock");
        }
        return defects;
    }

    /** Returns what the run is too short or too noisy to tell. */
    public List<String> unclear() {
        return Growth.unclear(series);
    }

    private long sum(ToLongFunction<Vitals> number) {
        return clients.stream().mapToLong(number).sum();
    }

    private double rate() {
        return holds / (double) Math.max(1, length.toSeconds());
    }

    /** Returns the report for a terminal. */
    public String toText() {
        return String.format(
                        Locale.ROOT,
                        "%d holds in %d s on %s: %.0f/s, where %.0f/s were asked for; %d faults, %d exceptions%n",
                        holds,
                        length.toSeconds(),
                        store,
                        rate(),
                        settings.rate(),
                        faults.size(),
                        sum(Vitals::exceptions))
                + Growth.table(series, "growth in an hour")
                + Growth.ends(before, after, defects());
    }

    /** Returns the report for programs. */
    public Map<String, Object> toMap() {
        Map<String, Object> all = Growth.json(series, before, after);
        all.put("defects", defects());
        all.put("store", settings.store());
        all.put("server", store);
        all.put("seed", settings.seed());
        all.put("seconds", length.toSeconds());
        all.put("wantedRate", settings.rate());
        all.put("rate", rate());
        all.put("holds", holds);
        all.put("exceptions", sum(Vitals::exceptions));
        all.put("faults", faults.stream().map(each -> each.fault().id()).toList());
        return all;
    }
}
