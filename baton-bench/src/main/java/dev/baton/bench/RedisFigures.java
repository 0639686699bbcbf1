package dev.baton.bench;

import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;

/** Reads the figures of a Redis server from its INFO command. */
final class RedisFigures implements Supplier<Usage>, AutoCloseable {
    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha", "fcall", "eval_ro", "evalsha_ro", "fcall_ro");
    private static final Set<String> PUBLISHES = Set.of("publish", "spublish");
    /** The command that reads the figures; it is not counted. */
    private static final String QUESTION = "info";

    private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");
    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");
    private static final Pattern BYTES = Pattern.compile("total_net_(?:input|output)_bytes:(\\d+)");
    private static final double MICROS = 1e6;

    private final Jedis jedis;

    RedisFigures(URI address) {
        jedis = new Jedis(address);
    }

    @Override
    public Usage get() {
        return parse(jedis.info("commandstats") + jedis.info("cpu") + jedis.info("stats"));
    }

    static Usage parse(String info) {
        Map<String, Long> calls = CALLS.matcher(info)
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> Long.parseLong(found.group(2))));
        return new Usage(
                sum(calls, SCRIPTS::contains),
                sum(calls, command -> !command.equals(QUESTION)),
                sum(calls, PUBLISHES::contains),
                sum(BYTES, info),
                sum(CPU, info) * MICROS);
    }

    private static double sum(Pattern figure, String info) {
        return figure.matcher(info)
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
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
