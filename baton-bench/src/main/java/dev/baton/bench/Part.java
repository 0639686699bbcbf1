package dev.baton.bench;

import dev.baton.bench.jvm.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The figures of one team in one turn.
 *
 * @param nanos from the start of its threads to the end of the last
 * @param operations of each of its clients
 * @param faults the number of faults that did not end the turn
 * @param allocated bytes that the threads of its JVM allocated
 * @param cpuNanos processor time that its JVM used
 * @param waits the times from the request to the lock
 * @param handOvers the times from the previous holder's release to the lock
 */
record Part(
        long nanos,
        List<Long> operations,
        long faults,
        long allocated,
        long cpuNanos,
        Histogram waits,
        Histogram handOvers) {

    Message toMessage() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("nanos", nanos);
        fields.put("operations", operations);
        fields.put("faults", faults);
        fields.put("allocated", allocated);
        fields.put("cpuNanos", cpuNanos);
        fields.put("waits", Waits.encode(waits));
        fields.put("handOvers", Waits.encode(handOvers));
        return Message.of(fields);
    }

    static Part from(Message message) {
        return new Part(
                message.number("nanos"),
                message.numbers("operations"),
                message.number("faults"),
                message.number("allocated"),
                message.number("cpuNanos"),
                Waits.decode(message.text("waits")),
                Waits.decode(message.text("handOvers")));
    }
}
