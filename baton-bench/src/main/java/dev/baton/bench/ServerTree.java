package dev.baton.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** The processor time and the memory of a server: its process, and those that it has started. Linux alone tells. */
record ServerTree(long pid) {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double BYTES_PER_KILOBYTE = 1_024;
    private static final String SHARE = "Pss:";

    /** Returns the processor time so far; NaN if the process has gone. */
    double cpuMicros() {
        return processes()
                        .mapToDouble(each -> each.info()
                                .totalCpuDuration()
                                .orElse(Duration.ZERO)
                                .toNanos())
                        .reduce(Double::sum)
                        .orElse(Double.NaN)
                / NANOS_PER_MICRO;
    }

    /** Returns the memory now: that which processes share counts once. */
    double bytes() throws IOException {
        double bytes = 0;
        for (ProcessHandle each : processes().toList()) {
            bytes += bytesOf(Path.of("/proc", Long.toString(each.pid()), "smaps_rollup"));
        }
        return bytes;
    }

    private static double bytesOf(Path rollup) throws IOException {
        try (Stream<String> lines = Files.lines(rollup)) {
            return lines.filter(line -> line.startsWith(SHARE))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * BYTES_PER_KILOBYTE)
                    .sum();
        } catch (NoSuchFileException ended) {
            return 0;
        }
    }

    private Stream<ProcessHandle> processes() {
        return ProcessHandle.of(pid).stream().flatMap(each -> Stream.concat(Stream.of(each), each.descendants()));
    }
}
