package dev.baton.bench;

import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;

/** The server that is measured, as it describes itself. */
final class Server implements Supplier<Usage>, AutoCloseable {
    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha", "fcall", "eval_ro", "evalsha_ro", "fcall_ro");
    private static final Set<String> PUBLISHES = Set.of("publish", "spublish");
    /** What asking costs. */
    private static final String QUESTION = "info";

    private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");
    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");
    private static final double MICROS = 1e6;

    private final Jedis jedis;

    Server(URI address) {
        jedis = new Jedis(address);
    }

    @Override
    public Usage get() {
        return parse(jedis.info("commandstats") + jedis.info("cpu"));
    }

    static Usage parse(String info) {
        Map<String, Long> calls = CALLS.matcher(info)
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> Long.parseLong(found.group(2))));
        double cpuSeconds = CPU.matcher(info)
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
        return new Usage(
                sum(calls, SCRIPTS::contains),
                sum(calls, command -> !command.equals(QUESTION)),
                sum(calls, PUBLISHES::contains),
                cpuSeconds * MICROS);
    }

    private static double sum(Map<String, Long> calls, Predicate<String> which) {
        return calls.entrySet().stream()
                .filter(call -> which.test(call.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    @Override
    public void close() {
        jedis.close();
    }
}
