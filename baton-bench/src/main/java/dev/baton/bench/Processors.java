package dev.baton.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.baton.bench.jvm.Stopwatch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads the processor time of the machine and of the benchmark's own processes. */
final class Processors implements Supplier<CpuTimes> {
    private static final Path STAT = Path.of("/proc/stat");
    private static final double NANOS_PER_TICK = 1e7;
    /** The columns of the line "cpu" that are counted: user, nice, system, idle, iowait, irq, softirq, steal. */
    private static final int COLUMNS = 8;

    /**
     * The time of processes, and of other machines on the same host. Interrupts are excluded: most of them are the
     * benchmark's own packets, which count for no process.
     */
    private static final List<Integer> BUSY_COLUMNS = List.of(0, 1, 2, 7);

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Collection<Long> servers;
    private final Map<Long, Double> own = new HashMap<>();
    private final Stopwatch watch = Stopwatch.started();
    private double lastNanos;
    private double busyWithoutStat;

    /**
     * Reads this machine.
     *
     * @param servers process ids of the benchmark's servers that do not descend from this JVM; ids may be added later
     */
    Processors(Collection<Long> servers) {
        this.servers = servers;
    }

    @Override
    public CpuTimes get() {
        double ownNanos = own();
        try (Stream<String> lines = Files.lines(STAT)) {
            return parse(lines.findFirst().orElse(""), ownNanos);
        } catch (IOException notLinux) {
            return withoutStat(ownNanos);
        }
    }

    /** Reads the first line of {@code /proc/stat}. */
    static CpuTimes parse(String line, double ownNanos) {
        double[] ticks = Stream.of(line.trim().split(" +", -1))
                .skip(1)
                .limit(COLUMNS)
                .mapToDouble(Double::parseDouble)
                .toArray();
        double all = 0;
        double busy = 0;
        for (int i = 0; i < ticks.length; i++) {
            all += ticks[i];
            busy += BUSY_COLUMNS.contains(i) ? ticks[i] : 0;
        }
        return new CpuTimes(all * NANOS_PER_TICK, busy * NANOS_PER_TICK, ownNanos);
    }

    private CpuTimes withoutStat(double ownNanos) {
        double nanos = watch.nanos();
        double load = SYSTEM.getCpuLoad(); // since the last call
        int processors = SYSTEM.getAvailableProcessors();
        busyWithoutStat += load < 0 ? Double.NaN : load * processors * (nanos - lastNanos);
        lastNanos = nanos;
        return new CpuTimes(nanos * processors, busyWithoutStat, ownNanos);
    }

    /** Returns the sum over all processes. An ended process keeps its last time, so that the sum never falls. */
    private double own() {
        Stream<ProcessHandle> roots = Stream.concat(
                Stream.of(ProcessHandle.current()),
                servers.stream().map(ProcessHandle::of).flatMap(Optional::stream));
        roots.flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .forEach(process -> process.info()
                        .totalCpuDuration()
                        .map(Duration::toNanos)
                        .ifPresent(nanos -> own.put(process.pid(), (double) nanos)));
        return own.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
